import { expect, test } from 'vitest';
import { fromHalf, toHalf } from './half.ts';

test('every float16 survives a round trip', () => {
  const all = Array.from({ length: 0x10000 }, (_, bits) => bits);
  const changed = all.filter((bits) => toHalf(fromHalf(bits)) !== bits);
  // There are many NaNs, and one is enough.
  expect(changed.filter((bits) => !Number.isNaN(fromHalf(bits)))).toEqual([]);
  expect(fromHalf(toHalf(NaN))).toBeNaN();
});

test.each([
  [1, 0x3c00],
  [-2, 0xc000],
  [65504, 0x7bff],
  [65519.99, 0x7bff],
  [65520, 0x7c00],
  [-Infinity, 0xfc00],
  [2 ** -24, 1],
  [2 ** -25, 0],
  [1.5 * 2 ** -25, 1],
  [-0, 0x8000],
  // Ties round to even: between 1 and the next float16, and between that and the one after.
  [1 + 2 ** -11, 0x3c00],
  [1 + 3 * 2 ** -11, 0x3c02],
  [2 - 2 ** -12, 0x4000],
])('%f becomes %i', (value, bits) => {
  expect(toHalf(value)).toBe(bits);
});
