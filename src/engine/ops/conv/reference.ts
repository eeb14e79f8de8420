/** Convolution in float64 from its definition: the reference for every algorithm. In both layouts. */
import { elements } from '../../../base/shape.ts';
import { inputIndexing, outputIndexing, weightIndexing } from './layout.ts';
import { inputShape, outputShape, weightShape, type ConvProblem } from './problem.ts';
import type { References } from '../../reference/ops.ts';
import { problemOf, type ConvAttributes } from './index.ts';

/** y = x * w + bias. @param bias [K] */
export function convFprop(
  problem: ConvProblem,
  x: ArrayLike<number>,
  w: ArrayLike<number>,
  bias?: ArrayLike<number>,
): Float64Array {
  const y = new Float64Array(elements(outputShape(problem)));
  const indexing = outputIndexing(problem);
  if (bias) for (let i = 0; i < y.length; i++) y[i] = bias[indexing.placeOf(i)[1]];
  const [xStep, yStep] = stepsOf(problem);
  forEachRow(problem, (xi, wi, yi, count) => {
    const weight = w[wi];
    for (let q = 0; q < count; q++) y[yi + q * yStep] += x[xi + q * xStep] * weight;
  });
  return y;
}

/** The gradient of x. */
export function convDgrad(problem: ConvProblem, w: ArrayLike<number>, dy: ArrayLike<number>): Float64Array {
  const dx = new Float64Array(elements(inputShape(problem)));
  const [xStep, yStep] = stepsOf(problem);
  forEachRow(problem, (xi, wi, yi, count) => {
    const weight = w[wi];
    for (let q = 0; q < count; q++) dx[xi + q * xStep] += dy[yi + q * yStep] * weight;
  });
  return dx;
}

/** The gradient of w. */
export function convWgrad(problem: ConvProblem, x: ArrayLike<number>, dy: ArrayLike<number>): Float64Array {
  const dw = new Float64Array(elements(weightShape(problem)));
  const [xStep, yStep] = stepsOf(problem);
  forEachRow(problem, (xi, wi, yi, count) => {
    let sum = 0;
    for (let q = 0; q < count; q++) sum += dy[yi + q * yStep] * x[xi + q * xStep];
    dw[wi] += sum;
  });
  return dw;
}

/** The gradient of the bias, [K]. */
export function convBiasGradient(problem: ConvProblem, dy: ArrayLike<number>): Float64Array {
  const db = new Float64Array(problem.K);
  const indexing = outputIndexing(problem);
  for (let i = 0; i < elements(outputShape(problem)); i++) db[indexing.placeOf(i)[1]] += dy[i];
  return db;
}

/** Distances in memory from the part of one product in x and in y to that of the next one of a row. */
const stepsOf = (problem: ConvProblem): [x: number, y: number] => [
  problem.stride[1] * inputIndexing(problem).pixel,
  outputIndexing(problem).pixel,
];

/** Products of one row of the output with one weight: so many, whose parts start at these indices. */
type Row = (xi: number, wi: number, yi: number, count: number) => void;

/**
 * Visits every product of a convolution by the indices of its three parts, a row of the output at a time; taps in the
 * padding are skipped.
 */
function forEachRow(problem: ConvProblem, visit: Row): void {
  const { N, C, H, W, K, R, S, P, Q, stride, padding, dilation, groups } = problem;
  const [x, w, y] = [inputIndexing(problem), weightIndexing(problem), outputIndexing(problem)];
  const channels = C / groups;
  const filters = K / groups;
  for (let s = 0; s < S; s++) {
    // The column of the image under output column q is q * stride[1] + left.
    const left = s * dilation[1] - padding.left;
    const first = Math.max(0, Math.ceil(-left / stride[1]));
    const count = Math.min(Q, Math.floor((W - 1 - left) / stride[1]) + 1) - first;
    if (count <= 0) continue;
    for (let n = 0; n < N; n++) {
      for (let k = 0; k < K; k++) {
        const firstChannel = Math.floor(k / filters) * channels;
        for (let c = 0; c < channels; c++) {
          for (let r = 0; r < R; r++) {
            for (let p = 0; p < P; p++) {
              const h = p * stride[0] - padding.top + r * dilation[0];
              if (h < 0 || h >= H) continue;
              const xi = x.at(n, firstChannel + c, h, first * stride[1] + left);
              visit(xi, w.at(k, c, r, s), y.at(n, k, p, first), count);
            }
          }
        }
      }
    }
  }
}

export default {
  conv({ attributes, inputs: [x], shapes: [shape], parameters: { weight, bias } }) {
    const problem = problemOf(attributes as ConvAttributes, shape);
    return {
      y: convFprop(problem, x, weight, bias),
      backward: (dy) => ({
        inputs: [convDgrad(problem, weight, dy)],
        parameters: {
          weight: convWgrad(problem, x, dy),
          ...(bias ? { bias: convBiasGradient(problem, dy) } : {}),
        },
      }),
    };
  },
} satisfies References;
