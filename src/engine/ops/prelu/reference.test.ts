import { describe, expect, test } from 'vitest';
import { normals } from '../../testing/fixtures.ts';
import { gradcheck } from '../../testing/gradcheck.ts';
import { preluBackward, preluForward } from './reference.ts';

test('by hand: two images of two channels', () => {
  const x = [1, -2, -3, 4, -5, 6, 0, -8];
  expect([...preluForward(2, x, [0.5])]).toEqual([1, -1, -1.5, 4, -2.5, 6, 0, -4]);
  expect([...preluForward(2, x, [0.5, 2])]).toEqual([1, -1, -6, 4, -2.5, 6, 0, -16]);
  const { dx, dw } = preluBackward(2, x, [0.5, 2], [1, 1, 1, 1, 2, 2, 3, 3]);
  expect([[...dx], [...dw]]).toEqual([
    [1, 0.5, 2, 1, 1, 2, 6, 6],
    [-12, -27],
  ]);
});

describe('the gradients agree with central differences', () => {
  test.each([1, 3])('%i slopes', (slopes) => {
    const x = normals(1, [2, 3, 5]).data;
    const w = normals(2, [slopes]).data;
    gradcheck(
      'x',
      x,
      (v) => preluForward(2, v, w),
      (dy) => preluBackward(2, x, w, dy).dx,
    );
    gradcheck(
      'w',
      w,
      (v) => preluForward(2, x, v),
      (dy) => preluBackward(2, x, w, dy).dw,
    );
  });
});
