import { expect, test } from 'vitest';
import { tokensOf } from './highlight.ts';

const kinds = (line: string) =>
  tokensOf(line)
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
    tokensOf(line)
      .map(({ text }) => text)
      .join(''),
  ).toBe(line);
});
