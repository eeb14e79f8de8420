import { expect, test } from 'vitest';
import { tokensOf } from './highlight.ts';

const kinds = (line: string) =>
  tokensOf(line, 'WGSL')
    .filter(({ kind }) => kind !== 'plain')
    .map(({ kind, text }) => `${kind} ${text}`);

test('classifies tokens', () => {
  expect(kinds('@group(0) @binding(1) var<storage, read> x: array<f32>; // input, 3 of them')).toEqual([
    'attribute @group',
    'number 0',
    'attribute @binding',
    'number 1',
    'keyword var',
    'type storage',
    'type read',
    'type array',
    'type f32',
    'comment // input, 3 of them',
  ]);
  expect(kinds('for (var i = 0u; i < format; i++) { y1 = 1.5e-3f; }')).toEqual([
    'keyword for',
    'keyword var',
    'number 0u',
    'number 1.5e-3f',
  ]);
});

test.each(['', '  let a = b;', '}', '// all'])('the tokens of %j join to it', (line) => {
  expect(
    tokensOf(line, 'WGSL')
      .map(({ text }) => text)
      .join(''),
  ).toBe(line);
});

test('highlighted words join to the same text', () => {
  const text = 'class A:  # "no string"\n    x = "a \\" b" + 1.5e-3\n    return None\n{"a": true}';
  const words = tokensOf(text, 'Python');
  expect(words.map((word) => word.text).join('')).toBe(text);
  const kind = (wanted: string) => words.find((word) => word.text === wanted)?.kind;
  expect([kind('class'), kind('# "no string"'), kind('"a \\" b"'), kind('1.5e-3'), kind('true')]).toEqual([
    ...['keyword', 'comment', 'string', 'number', 'keyword'],
  ]);
});
