import { describe, test } from 'vitest';
import { expectExact } from '../../testing/check.ts';
import { normals } from '../../testing/fixtures.ts';
import { gradcheck } from '../../testing/gradcheck.ts';
import { LINEAR_PROBLEMS } from '../../testing/problems.ts';
import { linearBiasGradient, linearDgrad, linearFprop, linearWgrad } from './reference.ts';

test('fprop by hand', () => {
  const sizes = { N: 2, inFeatures: 3, outFeatures: 2 };
  const y = linearFprop(sizes, [1, 2, 3, 4, 5, 6], [1, 10, 100, 2, 0, -1], [0.5, -0.5]);
  expectExact('y', y, Float64Array.of(321.5, -1.5, 654.5, 1.5));
});

describe('gradients agree with central differences', () => {
  test.each(LINEAR_PROBLEMS)('$name', ({ problem }) => {
    const { N, inFeatures, outFeatures } = problem;
    const x = normals(1, [N, inFeatures]).data;
    const w = normals(2, [outFeatures, inFeatures]).data;
    const b = normals(3, [outFeatures]).data;
    gradcheck(
      'x',
      x,
      (v) => linearFprop(problem, v, w, b),
      (dy) => linearDgrad(problem, w, dy),
    );
    gradcheck(
      'w',
      w,
      (v) => linearFprop(problem, x, v, b),
      (dy) => linearWgrad(problem, x, dy),
    );
    gradcheck(
      'bias',
      b,
      (v) => linearFprop(problem, x, w, v),
      (dy) => linearBiasGradient(problem, dy),
    );
  });
});
