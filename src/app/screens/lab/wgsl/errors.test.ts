import { expect, test } from 'vitest';
import { placesIn } from './errors.ts';

test('each place once, with its message', () => {
  const reason = [
    "shaders/conv/direct/fprop.wgsl:27:15: unresolved value 'nothing'.",
    '    var sum = nothing;',
    'shaders/gemm/tile.wgsl:3: expected ";"',
    '    let a',
    'shaders/gemm/tile.wgsl:3: expected ";"',
    '    let a',
  ].join('\n');
  expect(placesIn(reason)).toEqual([
    { file: 'conv/direct/fprop', line: 27, column: 15, message: "unresolved value 'nothing'" },
    { file: 'gemm/tile', line: 3, column: 0, message: 'expected ";"' },
  ]);
});

test('a message without a place', () => {
  expect(placesIn('out of memory')).toEqual([]);
});
