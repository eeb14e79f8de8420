import { describe, expect, test } from 'vitest';
import { normals } from '../../testing/fixtures.ts';
import { gradcheck } from '../../testing/gradcheck.ts';
import { groupNormBackward, groupNormForward } from './reference.ts';

test('by hand: two images with two groups of two channels', () => {
  const problem = { C: 4, groups: 2, plane: 1, eps: 0 };
  const x = [1, 3, 5, 9, 4, 2, -1, -1.5];
  expect([...groupNormForward(problem, x, [1, 2, 3, 10], [0, 1, 0, 5])]).toEqual([
    ...[-1, 3, -3, 15],
    ...[1, -1, 3, -5],
  ]);
  expect([...groupNormForward({ ...problem, eps: 3 }, [1, 3, 5, 9], undefined, undefined)]).toEqual([
    ...[-0.5, 0.5, -2 / Math.sqrt(7), 2 / Math.sqrt(7)],
  ]);
});

describe('the gradients agree with central differences', () => {
  test.each([
    { N: 2, C: 6, groups: 2, plane: 4, eps: 1e-5 },
    { N: 1, C: 4, groups: 1, plane: 1, eps: 0.1 },
    { N: 3, C: 3, groups: 3, plane: 5, eps: 1e-3 },
  ])('$N images, $C channels of $plane in $groups groups', ({ N, ...problem }) => {
    const { C, plane } = problem;
    const x = normals(1, [N, C, plane]).data;
    const w = normals(2, [C]).data;
    const b = normals(3, [C]).data;
    const backward = (dy: ArrayLike<number>) => groupNormBackward(problem, x, w, dy);
    gradcheck(
      'x',
      x,
      (v) => groupNormForward(problem, v, w, b),
      (dy) => backward(dy).dx,
    );
    gradcheck(
      'w',
      w,
      (v) => groupNormForward(problem, x, v, b),
      (dy) => backward(dy).dw,
    );
    gradcheck(
      'b',
      b,
      (v) => groupNormForward(problem, x, w, v),
      (dy) => backward(dy).db,
    );
    gradcheck(
      'x without parameters',
      x,
      (v) => groupNormForward(problem, v, undefined, undefined),
      (dy) => groupNormBackward(problem, x, undefined, dy).dx,
    );
  });
});
