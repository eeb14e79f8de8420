import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { PRESET_DESCRIPTIONS } from '../../src/run/preset-descriptions.ts';
import { fastestMode, modesOf } from '../modes.ts';
import { fastestOf, meanOf, medianOf, saidOf } from '../statistic.ts';
import { DOCUMENTS, looseFigures, REPORTS, withSections } from './documents.ts';
import { file } from './results.ts';
import { presetClaims, SECTIONS } from './sections.ts';

const read = (name: string) => ({ name, text: readFileSync(file(name), 'utf8') });
const documents = DOCUMENTS.map(read);

test.each([...documents, ...REPORTS.map(read)])(
  '$name: every figure is what results have today',
  ({ text }) => {
    // Tables may be aligned.
    const plain = (one: string) =>
      one
        .replace(/ +/g, ' ')
        .replace(/-{2,}/g, '--')
        .replace(/-+(:?) \|/g, '--$1 |');
    expect(plain(text)).toBe(plain(withSections(text, SECTIONS)));
  },
);

test.each(documents)('$name: no figure stands outside of measured sections', ({ text }) =>
  expect(looseFigures(text)).toEqual([]),
);

test('descriptions of presets state what results have', () => {
  for (const [name, claims] of Object.entries(presetClaims()))
    for (const claim of claims) expect(PRESET_DESCRIPTIONS[name]).toContain(claim);
});

test('every section is in a document', () => {
  const all = [...documents, ...REPORTS.map(read)].map(({ text }) => text).join('');
  for (const name of Object.keys(SECTIONS)) expect(all).toContain(`<!-- measured: ${name} -->`);
});

test('figures are found in prose and tables, not in code', () => {
  const found = (text: string) => looseFigures(text).map(({ figure }) => figure);
  expect(found('up to 1.2 times as fast; 94.0 % in 6.4 seconds | 0.144 ms | 38 TFLOP/s, 12%')).toEqual([
    '1.2 times',
    '94.0 %',
    '6.4 seconds',
    '0.144 ms',
    '38 TFLOP/s',
    '12%',
  ]);
  expect(found('`--minutes 5 s`, Chrome 113, 64 MiB, 5x5, ResNet-18\n    sleep 5 s')).toEqual([]);
  expect(found('<!-- measured: speed -->\n\n5 ms\n\n<!-- end of measured -->')).toEqual([]);
});

test('a changed figure fails', () => {
  const [{ text }] = documents;
  const [digit] = /0\.\d\d/.exec(/<!-- measured: speed -->[^]*/.exec(text)?.[0] ?? '') ?? [];
  const changed = text.replace(digit ?? '', '0.01');
  expect(withSections(changed, SECTIONS)).not.toBe(changed);
});

describe('the fastest mode of PyTorch', () => {
  const all = new Map(modesOf().map((mode, i) => [mode, 3 + i]));

  test('is told where every mode of the list was measured', () => {
    expect(modesOf()).toHaveLength(24);
    expect(modesOf()).toContain('tf32, compiled, channels_last');
    expect(fastestMode(all)).toEqual({ value: 3, word: 'fastest', n: 24, spread: [3, 26] });
  });

  test.each(modesOf())('is not told without "%s"', (left) => {
    const others = new Map([...all].filter(([mode]) => mode !== left));
    expect(fastestMode(others)).toEqual({ measured: 23, of: 24 });
    const [arithmetic] = left.split(', ');
    expect(fastestMode(others, [arithmetic])).toEqual({ measured: 5, of: 6 });
  });

  test('modes that are not in the list do not count', () =>
    expect(fastestMode(new Map([['compiled', 1]]), ['float32'])).toEqual({ measured: 0, of: 6 }));
});

describe('a statistic brings the word for it', () => {
  const values = [1, 2, 9];
  test.each([
    [meanOf(values), 4, 'mean of 3 seeds'],
    [medianOf(values), 2, 'median of 3 seeds'],
    [fastestOf(values), 1, 'fastest of 3 seeds'],
  ])('%o', (one, value, said) => {
    expect(one).toMatchObject({ value, spread: [1, 9] });
    expect(saidOf([one], 'seeds')).toBe(said);
  });

  test('one word for several, or none', () => {
    expect(saidOf([medianOf(values), medianOf([4])], 'runs')).toBe('medians of 1 to 3 runs');
    expect(() => saidOf([medianOf(values), meanOf(values)], 'runs')).toThrow('the median and the mean');
    expect(() => meanOf([])).toThrow('found none');
  });
});
