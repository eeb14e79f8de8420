import { describe, expect, test } from 'vitest';
import { normals } from '../../testing/fixtures.ts';
import { gradcheck } from '../../testing/gradcheck.ts';
import { ADAPTIVE_POOL_PROBLEMS } from '../../testing/problems.ts';
import { adaptiveAvgPoolBackward, adaptiveAvgPoolForward } from './reference.ts';

test('forward by hand, with a row in two windows', () => {
  const y = adaptiveAvgPoolForward([1, 1, 3, 2], [1, 1, 2, 1], [1, 3, 5, 7, 9, 11]);
  expect([...y]).toEqual([4, 8]);
});

test('one window is the mean of all', () => {
  expect([...adaptiveAvgPoolForward([1, 2, 1, 3], [1, 2, 1, 1], [1, 2, 6, 0, 0, 3])]).toEqual([3, 1]);
});

describe('the gradient agrees with central differences', () => {
  test.each(ADAPTIVE_POOL_PROBLEMS)('$name', ({ input, output }) => {
    gradcheck(
      'x',
      normals(1, input).data,
      (x) => adaptiveAvgPoolForward(input, output, x),
      (dy) => adaptiveAvgPoolBackward(input, output, dy),
    );
  });
});
