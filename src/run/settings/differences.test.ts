import { expect, test } from 'vitest';
import { ABOUTS } from '../../ops/abouts.ts';
import { DIFFERENCES, differencesOf, sectionsOf } from './differences.ts';
import { SETTING_KEYS, SETTINGS, settingOf } from './table.ts';

test('a section begins with what it is about', () => {
  const text = '# Title\n\nIntroduction.\n\n## One\n\nSettings: A, B (c)\n\nFirst\nline.\n\nSecond.\n';
  expect(sectionsOf(text)).toEqual([{ of: 'Settings', names: ['A', 'B (c)'], text: 'First line. Second.' }]);
});

test('every section is about settings or ops that there are, and says something', () => {
  const titles = SETTING_KEYS.map((key) => settingOf(key).title);
  for (const { of, names, text } of DIFFERENCES) {
    const there = of === 'Settings' ? titles : of === 'Ops' ? [...ABOUTS.keys()] : [];
    expect(there, text).toEqual(expect.arrayContaining([...names]));
    expect(text).toMatch(/^[A-Z`].{100,}\.$/);
  }
});

test('settings have their sections, and defaults are those of the table', () => {
  expect(differencesOf('labelSmoothing')).toBe('');
  expect(differencesOf('warmupEpochs')).toContain('that rate comes twice');
  const { lr, weightDecay } = SETTINGS;
  expect(differencesOf('lr')).toContain(
    `wgrad's are ${lr.byOptimizer.sgd} for SGD, ${lr.byOptimizer.muon} for Muon and ${lr.default} for the others`,
  );
  expect(differencesOf('weightDecay')).toContain(`but for Muon ${weightDecay.default} instead of`);
});
