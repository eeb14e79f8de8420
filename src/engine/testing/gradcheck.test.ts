import { expect, test } from 'vitest';
import { gradcheck } from './gradcheck.ts';

const square = (x: Float64Array) => x.map((v) => v * v);

test('gradcheck accepts the correct gradient and no other', () => {
  const x = [1, -2, 3];
  const times = (factor: number) => (dy: Float64Array) => dy.map((g, i) => factor * x[i] * g);
  gradcheck('square', x, square, times(2));
  expect(() => gradcheck('square', x, square, times(2.01))).toThrow(/central differences/);
  expect(() => gradcheck('square', x, square, times(NaN))).toThrow(/NaN/);
  expect(() => gradcheck('square', x, square, () => new Float64Array(2))).toThrow(/2 gradients for 3/);
});
