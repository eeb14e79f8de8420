import { describe, expect, test } from 'vitest';
import { normals } from '../../testing/fixtures.ts';
import { gradcheck } from '../../testing/gradcheck.ts';
import { DILATED_POOL_PROBLEMS, POOL_PROBLEMS } from '../../testing/problems.ts';
import { poolProblem } from '../pooling.ts';
import { maxPoolBackward, maxPoolForward } from './reference.ts';

test('forward by hand: padding never wins, the first of equals does, NaN beats all', () => {
  const problem = poolProblem(
    'max_pool',
    { kernelSize: [2, 2], stride: [2, 2], padding: [1, 1] },
    [1, 1, 3, 4],
  );
  const { y, argmax } = maxPoolForward(problem, [-5, -1, -1, 2, 7, 7, NaN, 3, 0, 7, 9, 1]);
  expect([...y]).toEqual([-5, -1, 2, 7, NaN, 3]);
  expect([...argmax]).toEqual([0, 1, 3, 4, 6, 7]);
});

test('backward adds up where windows overlap', () => {
  const problem = poolProblem('max_pool', { kernelSize: [1, 2], stride: [1, 1] }, [1, 1, 1, 3]);
  const { argmax } = maxPoolForward(problem, [1, 5, 2]);
  expect([...maxPoolBackward(problem, argmax, [10, 100])]).toEqual([0, 110, 0]);
});

describe('the gradient agrees with central differences', () => {
  test.each([...POOL_PROBLEMS, ...DILATED_POOL_PROBLEMS])('$name', ({ problem }) => {
    const x = normals(1, [problem.N, problem.C, problem.H, problem.W]).data;
    const { argmax } = maxPoolForward(problem, x);
    gradcheck(
      'x',
      x,
      (v) => maxPoolForward(problem, v).y,
      (dy) => maxPoolBackward(problem, argmax, dy),
    );
  });
});
