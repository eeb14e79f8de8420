import { describe, expect, test } from 'vitest';
import { normals } from '../../testing/fixtures.ts';
import { gradcheck } from '../../testing/gradcheck.ts';
import { POOL_PROBLEMS } from '../../testing/problems.ts';
import { poolProblem } from '../pooling.ts';
import { avgPoolBackward, avgPoolForward } from './reference.ts';

test('forward by hand, with and without the padding in the count', () => {
  const problem = poolProblem('avg_pool', { kernelSize: [2, 2], padding: [1, 1] }, [1, 1, 2, 2]);
  expect([...avgPoolForward(problem, [4, 8, 12, 16])]).toEqual([1, 2, 3, 4]);
  expect([...avgPoolForward(problem, [4, 8, 12, 16], false)]).toEqual([4, 8, 12, 16]);
});

describe('the gradient agrees with central differences', () => {
  for (const countPadding of [true, false]) {
    test.each(POOL_PROBLEMS)(
      `$name, padding ${countPadding ? 'counts' : 'does not count'}`,
      ({ problem }) => {
        const x = normals(1, [problem.N, problem.C, problem.H, problem.W]).data;
        const forward = (v: Float64Array) => avgPoolForward(problem, v, countPadding);
        gradcheck('x', x, forward, (dy) => avgPoolBackward(problem, dy, countPadding));
      },
    );
  }
});
