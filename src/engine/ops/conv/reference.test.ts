import { describe, expect, test } from 'vitest';
import { elements } from '../../../base/shape.ts';
import { expectClose, expectExact } from '../../testing/check.ts';
import { CONV_CASES, readConvCase } from '../../testing/conv-cases.ts';
import { normals } from '../../testing/fixtures.ts';
import { gradcheck } from '../../testing/gradcheck.ts';
import { CONV_PROBLEMS } from '../../testing/problems.ts';
import { convProblem, inputShape, outputShape, weightShape } from './problem.ts';
import { convBiasGradient, convDgrad, convFprop, convWgrad } from './reference.ts';

test('fprop by hand: padding above and on the right only', () => {
  const padding = { top: 1, bottom: 0, left: 0, right: 1 };
  const problem = convProblem({ N: 1, C: 1, H: 2, W: 2, K: 1, R: 2, S: 2, padding });
  // 0 0 0
  // 1 2 0
  // 3 4 0
  expect([...convFprop(problem, [1, 2, 3, 4], [1, 10, 100, 1000])]).toEqual([2100, 200, 4321, 402]);
});

test('fprop by hand: 3x3 image, 2x2 filter, padding on one side counts', () => {
  const problem = convProblem({ N: 1, C: 1, H: 3, W: 3, K: 1, R: 2, S: 2, stride: [2, 1], padding: [1, 0] });
  const y = convFprop(problem, [1, 2, 3, 4, 5, 6, 7, 8, 9], [1, 10, 100, 1000], [0.5]);
  // Rows -1..0, then 1..2.
  expectExact('y', y, Float64Array.of(2100.5, 3200.5, 8754.5, 9865.5));
});

test('groups read only their own channels', () => {
  const problem = convProblem({ N: 1, C: 2, H: 1, W: 1, K: 4, R: 1, S: 1, groups: 2 });
  expectExact('y', convFprop(problem, [3, 5], [1, 2, 3, 4]), Float64Array.of(3, 6, 15, 20));
});

describe('gradients agree with central differences', () => {
  test.each(CONV_PROBLEMS)('$name', ({ problem }) => {
    const x = normals(1, inputShape(problem)).data;
    const w = normals(2, weightShape(problem)).data;
    const b = normals(3, [problem.K]).data;
    gradcheck(
      'x',
      x,
      (v) => convFprop(problem, v, w, b),
      (dy) => convDgrad(problem, w, dy),
    );
    gradcheck(
      'w',
      w,
      (v) => convFprop(problem, x, v, b),
      (dy) => convWgrad(problem, x, dy),
    );
    gradcheck(
      'bias',
      b,
      (v) => convFprop(problem, x, w, v),
      (dy) => convBiasGradient(problem, dy),
    );
  });
});

describe('equals PyTorch', () => {
  test('there is a case', () => expect(CONV_CASES.length).toBeGreaterThan(0));

  test.each(CONV_CASES)('$name', ({ path }) => {
    const { problem, tensors } = readConvCase(path);
    const { x, w, dy, y, dx, dw } = tensors;
    expect(outputShape(problem)).toEqual(y.shape);
    expect(elements(inputShape(problem))).toBe(x.data.length);
    // The files hold float32, rounded from float64.
    expectClose('y', convFprop(problem, x.data, w.data), y.data, 6e-8);
    expectClose('dx', convDgrad(problem, w.data, dy.data), dx.data, 6e-8);
    expectClose('dw', convWgrad(problem, x.data, dy.data), dw.data, 6e-8);
  });
});
