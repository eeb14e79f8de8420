import { describe, expect, test } from 'vitest';
import { normals } from '../../testing/fixtures.ts';
import { gradcheck } from '../../testing/gradcheck.ts';
import { ADAPTIVE_POOL_PROBLEMS, DILATED_POOL_PROBLEMS, POOL_PROBLEMS } from '../../testing/problems.ts';
import { complete } from '../../testing/node.ts';
import { avgPool } from './avg.ts';
import { poolProblem } from './geometry.ts';
import { maxPool } from './max.ts';
import {
  adaptiveAvgPoolBackward,
  adaptiveAvgPoolForward,
  adaptiveMaxPoolBackward,
  adaptiveMaxPoolForward,
  avgPoolBackward,
  avgPoolForward,
  maxPoolBackward,
  maxPoolForward,
} from './reference.ts';

test('avg_pool: forward by hand, with and without the padding in the count', () => {
  const problem = poolProblem(
    'avg_pool',
    complete(avgPool, { kernelSize: [2, 2], padding: [1, 1] }),
    [1, 1, 2, 2],
  );
  expect([...avgPoolForward(problem, [4, 8, 12, 16])]).toEqual([1, 2, 3, 4]);
  expect([...avgPoolForward(problem, [4, 8, 12, 16], false)]).toEqual([4, 8, 12, 16]);
});

test('windows that ceil_mode adds, as PyTorch computes them', () => {
  const x = [0, 7, 3, 10, 6, 2, 9, 5, 1, 8, 4, 0, 7, 3, 10, 6, 2, 9, 5, 1];
  const max = poolProblem(
    'max_pool',
    complete(maxPool, {
      kernelSize: [3, 3],
      stride: [2, 2],
      padding: { top: 1, bottom: 2, left: 1, right: 1 },
    }),
    [1, 1, 4, 5],
  );
  expect([...maxPoolForward(max, x).y]).toEqual([9, 10, 10, 9, 9, 10, 6, 9, 5]);
  const mean = poolProblem(
    'avg_pool',
    complete(avgPool, {
      kernelSize: [2, 2],
      stride: [3, 3],
      padding: { top: 0, bottom: 1, left: 0, right: 0 },
    }),
    [1, 1, 4, 5],
  );
  expect([...avgPoolForward(mean, x, false)]).toEqual([4.5, 6.25, 4, 3]);
});

test('avg_pool: “same” pads below and on the right first', () => {
  const attributes = { kernelSize: [2, 2], stride: [1, 1], padding: 'same' } as const;
  const problem = poolProblem('avg_pool', complete(avgPool, attributes), [1, 1, 2, 2]);
  expect([...avgPoolForward(problem, [4, 8, 12, 16])]).toEqual([10, 6, 7, 4]);
  expect([...avgPoolForward(problem, [4, 8, 12, 16], false)]).toEqual([10, 12, 14, 16]);
});

describe('avg_pool: the gradient agrees with central differences', () => {
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

test('adaptive_avg_pool: forward by hand, with a row in two windows', () => {
  const y = adaptiveAvgPoolForward([1, 1, 3, 2], [1, 1, 2, 1], [1, 3, 5, 7, 9, 11]);
  expect([...y]).toEqual([4, 8]);
});

test('adaptive_avg_pool: one window is the mean of all', () => {
  expect([...adaptiveAvgPoolForward([1, 2, 1, 3], [1, 2, 1, 1], [1, 2, 6, 0, 0, 3])]).toEqual([3, 1]);
});

describe('adaptive_avg_pool: the gradient agrees with central differences', () => {
  test.each(ADAPTIVE_POOL_PROBLEMS)('$name', ({ input, output }) => {
    gradcheck(
      'x',
      normals(1, input).data,
      (x) => adaptiveAvgPoolForward(input, output, x),
      (dy) => adaptiveAvgPoolBackward(input, output, dy),
    );
  });
});

test('max_pool: forward by hand: padding never wins, the first of equal values does, NaN wins over all', () => {
  const problem = poolProblem(
    'max_pool',
    complete(maxPool, { kernelSize: [2, 2], stride: [2, 2], padding: [1, 1] }),
    [1, 1, 3, 4],
  );
  const { y, argmax } = maxPoolForward(problem, [-5, -1, -1, 2, 7, 7, NaN, 3, 0, 7, 9, 1]);
  expect([...y]).toEqual([-5, -1, 2, 7, NaN, 3]);
  expect([...argmax]).toEqual([0, 1, 3, 4, 6, 7]);
});

test('max_pool: backward adds up where windows overlap', () => {
  const problem = poolProblem(
    'max_pool',
    complete(maxPool, { kernelSize: [1, 2], stride: [1, 1] }),
    [1, 1, 1, 3],
  );
  const { argmax } = maxPoolForward(problem, [1, 5, 2]);
  expect([...maxPoolBackward(problem, argmax, [10, 100])]).toEqual([0, 110, 0]);
});

describe('max_pool: the gradient agrees with central differences', () => {
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

test('adaptive_max_pool: forward by hand: the first of equal values wins, NaN wins over all', () => {
  const { y, argmax } = adaptiveMaxPoolForward([1, 1, 3, 3], [1, 1, 2, 2], [-1, 7, 7, 7, 0, 5, 1, NaN, 2]);
  expect([...y]).toEqual([7, 7, NaN, NaN]);
  expect([...argmax]).toEqual([1, 1, 7, 7]);
});

test('adaptive_max_pool: backward adds up where windows overlap', () => {
  const { argmax } = adaptiveMaxPoolForward([1, 1, 1, 3], [1, 1, 1, 2], [1, 5, 2]);
  expect([...adaptiveMaxPoolBackward([1, 1, 1, 3], argmax, [10, 100])]).toEqual([0, 110, 0]);
});

describe('adaptive_max_pool: the gradient agrees with central differences', () => {
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
