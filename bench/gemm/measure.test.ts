import { expect, test } from 'vitest';
import { judge } from '../operations/judge.ts';
import { expectedOf } from './measure.ts';
import { inputNumbers } from './peer.ts';

/** Its product has more numbers than are compared with float64. */
const task = { size: 12 };
const [a, b] = [inputNumbers(task, 'a'), inputNumbers(task, 'b')];
const right = new Float32Array(144).map((_, i) => {
  const row = a.subarray(12 * Math.floor(i / 12)).subarray(0, 12);
  return row.reduce((sum, number, k) => sum + number * b[12 * k + (i % 12)], 0);
});

test('right products pass, products of other matrices do not', () => {
  const [error] = judge(expectedOf(task), [{ title: 'right', numbers: right }]);
  expect(error).toBeLessThan(1e-6);
  // B A instead: each number is plausible.
  const swapped = right.map((_, i) => {
    let sum = 0;
    for (let k = 0; k < 12; k++) sum += b[12 * Math.floor(i / 12) + k] * a[12 * k + (i % 12)];
    return sum;
  });
  expect(() => judge(expectedOf(task), [{ title: 'swapped', numbers: swapped }])).toThrow(
    /^swapped: the product of 12 differs from float64/,
  );
});
