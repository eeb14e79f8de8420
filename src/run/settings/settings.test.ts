import { describe, expect, test } from 'vitest';
import { NO_AUGMENTATION, parseAugmentation } from '../../base/augmentation.ts';
import { applied, applies, completed, conflicts } from './rules.ts';
import { storedSettings, withStoredSettings } from './stored.ts';
import { HINTS } from './hints.ts';
import { linkOf, SETTING_KEYS, settingOf, type SettingKey } from './table.ts';
import { accepts, expectedOf, inSentence, parseSetting, requireSettings, textOf } from './text.ts';

test('names are unique, and every default is accepted', () => {
  expect(new Set(SETTING_KEYS.map(linkOf)).size).toBe(SETTING_KEYS.length);
  for (const key of SETTING_KEYS) {
    expect(accepts(key, settingOf(key).default), key).toBe(true);
    expect(HINTS[key], key).toMatch(/^[A-Z].*\.$/);
  }
});

describe('text', () => {
  test.each<[SettingKey, string, unknown]>([
    ['batchSize', '64', 64],
    ['lr', ' 3e-4 ', 3e-4],
    ['stopAccuracy', '97.5', 0.975],
    ['nesterov', 'yes', true],
    ['precision', 'single', 'float32'],
    ['memoryLimit', '2G', 2 ** 31],
    ['augmentation', 'crop=2,flip', { ...NO_AUGMENTATION, crop: 2, flip: 1 }],
    ['augmentation', 'none', NO_AUGMENTATION],
    ['wrongLabels', '20', 0.2],
    ['classWeights', 'balanced', 'balanced'],
    ['classWeights', '0, 1,2.5', [0, 1, 2.5]],
  ])('%s = "%s"', (key, text, value) => {
    expect(parseSetting(key, text, 'page')).toEqual({ ok: true, value });
    const again = parseSetting(key, textOf(key, value as never, 'page'), 'page');
    expect(again).toEqual({ ok: true, value });
  });

  test.each<[SettingKey, string, string]>([
    ['batchSize', '0', 'a whole number from 1 to 65536'],
    ['batchSize', '0x10', 'a whole number from 1 to 65536'],
    ['patience', '1.5', 'a whole number of at least 1'],
    ['lr', '', 'a number greater than 0'],
    ['lr', 'Infinity', 'a number greater than 0'],
    ['ema', '1', 'a number of at least 0 and less than 1'],
    ['lookahead', '0', 'a whole number of at least 1'],
    ['stopAccuracy', '101', 'a number greater than 0 and at most 100'],
    ['shuffle', 'maybe', 'yes or no'],
    ['trainImages', '0', 'a whole number of at least 1'],
    ['validation', '100', 'a number of at least 0 and less than 100'],
    ['classWeights', '0,0', 'balanced, or a number of at least 0 for each class, separated by commas'],
    ['classWeights', '1,,2', 'balanced, or a number of at least 0 for each class, separated by commas'],
    ['memoryLimit', '64MB', 'bytes, such as 65536, 64K, 64M or 1G'],
    ['recompute', 'constructor', 'one of off, auto, on'],
  ])('%s = "%s" is refused', (key, text, expected) => {
    const message = `expected ${expected}, found "${text}"`;
    expect(parseSetting(key, text, 'page')).toEqual({ ok: false, expected, message });
  });

  test('the command line uses shares where the page uses percent', () => {
    expect(parseSetting('stopAccuracy', '0.98', 'option')).toEqual({ ok: true, value: 0.98 });
    expect(expectedOf('stopAccuracy')).toBe('a number greater than 0 and at most 1');
    expect(textOf('stopAccuracy', 0.57, 'page')).toBe('57');
  });

  test('titles within a sentence', () => {
    expect((['lr', 'nesterov', 'memoryLimit'] as const).map(inSentence)).toEqual([
      'learning rate',
      'Nesterov',
      'memory limit',
    ]);
  });

  test('values out of range are refused by name', () => {
    requireSettings({ lr: 1, patience: undefined });
    expect(() => requireSettings({ lr: 1, gamma: 0 })).toThrow(
      'Decay factor (gamma): expected a number greater than 0, found 0',
    );
  });
});

describe('rules', () => {
  test('defaults depend on the optimiser', () => {
    expect(completed({})).toMatchObject({ optimizer: 'adam', lr: 1e-3, weightDecay: 0 });
    expect(completed({ optimizer: 'sgd' }).lr).toBe(0.05);
    expect(completed({ optimizer: 'adamw' }).weightDecay).toBe(0.01);
    expect(completed({})).not.toHaveProperty('ema');
  });

  test('settings apply to optimisers and schedules, or depend on another setting', () => {
    expect(applies('momentum', { optimizer: 'rmsprop' })).toBe(true);
    expect(applies('nesterov', { optimizer: 'rmsprop' })).toBe(false);
    expect(applies('gamma', { schedule: 'step' })).toBe(true);
    expect(applies('decay1d', completed({}))).toBe(false);
    expect(applied(completed({ momentum: 0.9, lr: 0.1 }))).toEqual(completed({ lr: 0.1 }));
  });

  test('conflicts name the setting to change', () => {
    const keysOf = (given: Parameters<typeof completed>[0], perEpoch?: number) =>
      conflicts(completed(given), perEpoch).map(({ key }) => key);
    expect(keysOf({})).toEqual([]);
    expect(keysOf({ optimizer: 'sgd', nesterov: true })).toEqual(['momentum']);
    expect(keysOf({ schedule: 'cosine', minLr: 1, epochs: 2 })).toEqual(['minLr']);
    expect(keysOf({ warmupEpochs: 1 })).toEqual(['epochs']);
    expect(keysOf({ warmupEpochs: 2, epochs: 2 })).toEqual(['warmupEpochs']);
    expect(keysOf({ warmupEpochs: 0.01, steps: 10 }, 5)).toEqual([]);
    expect(keysOf({ warmupEpochs: 2, steps: 10 }, 5)).toEqual(['warmupEpochs']);
    expect(keysOf({ lookahead: 5 })).toEqual(['epochs']);
    expect(keysOf({ lookahead: 5, steps: 10 })).toEqual([]);
    expect(keysOf({ lookahead: 5, epochs: 2, ema: 0.9 })).toEqual(['lookahead']);
    expect(keysOf({ lookahead: 11, epochs: 2 }, 5)).toEqual(['lookahead']);
    expect(keysOf({ lookahead: 10, epochs: 2 }, 5)).toEqual([]);
  });
});

describe('stored settings', () => {
  test('of the current version do not change', () => {
    const today = {
      ...completed({ lookahead: 5, trainImages: 50, classWeights: [1, 0.5] }),
      model: 'lenet5',
    };
    expect(withStoredSettings('a run', JSON.parse(JSON.stringify(today)))).toEqual(today);
  });

  test('from before a kind of augmentation was added: it is off', () => {
    const { mixup: _, ...augmentation } = parseAugmentation('crop=2');
    const stored = { ...completed({}), augmentation };
    expect(withStoredSettings('a run', stored)).toEqual({
      ...stored,
      augmentation: { ...augmentation, mixup: 0 },
    });
  });

  test.each([
    [{ batchSize: 0 }, /a run: expected batchSize to be a whole number from 1 to 65536, found 0/],
    [{ seed: 'x' }, /expected seed/],
    // As versions before 1.0 stored it.
    [{ optimizer: { name: 'sgd', lr: 0.1 } }, /expected optimizer to be one of sgd.*found \{"name":"sgd"/],
    [{ augmentation: { crop: -1 } }, /expected augmentation/],
    [{ classWeights: [1, -1] }, /expected classWeights to be balanced, or a number/],
    [null, /expected an object of settings/],
  ])('%o is refused', (stored, message) => {
    expect(() => storedSettings('a run', stored)).toThrow(message);
  });
});
