import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PRESET_DESCRIPTIONS } from '../../src/run/preset-descriptions.ts';
import { DOCUMENTS, looseFigures, withSections } from './documents.ts';
import { file } from './results.ts';
import { presetClaims, SECTIONS } from './sections.ts';

const documents = DOCUMENTS.map((name) => ({ name, text: readFileSync(file(name), 'utf8') }));

test.each(documents)('$name: every figure is what results have today', ({ text }) => {
  // Tables may be aligned.
  const plain = (one: string) =>
    one
      .replace(/ +/g, ' ')
      .replace(/-{2,}/g, '--')
      .replace(/-+(:?) \|/g, '--$1 |');
  expect(plain(text)).toBe(plain(withSections(text, SECTIONS)));
});

test.each(documents)('$name: no figure stands outside of measured sections', ({ text }) =>
  expect(looseFigures(text)).toEqual([]),
);

test('descriptions of presets state what results have', () => {
  for (const [name, claims] of Object.entries(presetClaims()))
    for (const claim of claims) expect(PRESET_DESCRIPTIONS[name]).toContain(claim);
});

test('every section is in a document', () => {
  const all = documents.map(({ text }) => text).join('');
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
