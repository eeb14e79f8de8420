import { describe, expect, test } from 'vitest';
import { normals } from '../../testing/fixtures.ts';
import { gradcheck } from '../../testing/gradcheck.ts';
import { batchNormBackward, batchNormForward, batchStatistics, movedStatistics } from './reference.ts';

test('by hand', () => {
  const problem = { N: 2, C: 2, plane: 1, eps: 0 };
  const statistics = batchStatistics(problem, [1, 5, 3, 9]);
  expect(statistics).toEqual({ mean: Float64Array.of(2, 7), variance: Float64Array.of(1, 4) });
  expect([...batchNormForward(problem, statistics, [1, 5, 3, 9], [1, 10], [0, 5])]).toEqual([-1, -5, 1, 15]);
  const running = { mean: [0, 0], variance: [1, 1] };
  expect(movedStatistics(problem, statistics, running, 0.5)).toEqual({
    mean: Float64Array.of(1, 3.5),
    variance: Float64Array.of(1.5, 4.5),
  });
});

describe('the gradients agree with central differences', () => {
  test.each([
    { N: 3, C: 2, plane: 5, eps: 1e-5 },
    { N: 4, C: 3, plane: 1, eps: 0.1 },
  ])('$N images, $C channels of $plane', (problem) => {
    const { N, C, plane } = problem;
    const x = normals(1, [N, C, plane]).data;
    const w = normals(2, [C]).data;
    const b = normals(3, [C]).data;
    const forward = (input: ArrayLike<number>, weight: ArrayLike<number>, bias: ArrayLike<number>) =>
      batchNormForward(problem, batchStatistics(problem, input), input, weight, bias);
    const backward = (dy: ArrayLike<number>) => batchNormBackward(problem, x, w, dy);
    gradcheck(
      'x',
      x,
      (v) => forward(v, w, b),
      (dy) => backward(dy).dx,
    );
    gradcheck(
      'w',
      w,
      (v) => forward(x, v, b),
      (dy) => backward(dy).dw,
    );
    gradcheck(
      'b',
      b,
      (v) => forward(x, w, v),
      (dy) => backward(dy).db,
    );
  });
});
