import { describe, expect, test } from 'vitest';
import { normals } from '../../testing/fixtures.ts';
import { gradcheck } from '../../testing/gradcheck.ts';
import { ADAPTIVE_POOL_PROBLEMS } from '../../testing/problems.ts';
import { adaptiveMaxPoolBackward, adaptiveMaxPoolForward } from './reference.ts';

test('forward by hand: the first of equals, NaN before all', () => {
  const { y, argmax } = adaptiveMaxPoolForward([1, 1, 3, 3], [1, 1, 2, 2], [-1, 7, 7, 7, 0, 5, 1, NaN, 2]);
  expect([...y]).toEqual([7, 7, NaN, NaN]);
  expect([...argmax]).toEqual([1, 1, 7, 7]);
});

test('backward adds up where windows overlap', () => {
  const { argmax } = adaptiveMaxPoolForward([1, 1, 1, 3], [1, 1, 1, 2], [1, 5, 2]);
  expect([...adaptiveMaxPoolBackward([1, 1, 1, 3], argmax, [10, 100])]).toEqual([0, 110, 0]);
});

describe('the gradient agrees with central differences', () => {
  test.each(ADAPTIVE_POOL_PROBLEMS)('$name', ({ input, output }) => {
    const x = normals(1, input).data;
    const { argmax } = adaptiveMaxPoolForward(input, output, x);
    gradcheck(
      'x',
      x,
      (v) => adaptiveMaxPoolForward(input, output, v).y,
      (dy) => adaptiveMaxPoolBackward(input, argmax, dy),
    );
  });
});
