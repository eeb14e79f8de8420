import { elements } from '../../../base/shape.ts';
import type { References } from '../../reference/ops.ts';
import type { BatchNormAttributes } from './index.ts';

/** Batch normalisation in float64, as PyTorch's nn.BatchNorm2d. x [N, C, PLANE]. */

export interface BatchNormProblem {
  readonly N: number;
  readonly C: number;
  /** Values per image and channel. */
  readonly plane: number;
  readonly eps: number;
}

/** Per channel. */
export interface Statistics {
  mean: Float64Array;
  /** The biased variance, the mean of squared differences. */
  variance: Float64Array;
}

export function batchStatistics({ N, C, plane }: BatchNormProblem, x: ArrayLike<number>): Statistics {
  const mean = new Float64Array(C);
  const variance = new Float64Array(C);
  forEach({ N, C, plane }, (i, c) => (mean[c] += x[i] / (N * plane)));
  forEach({ N, C, plane }, (i, c) => (variance[c] += (x[i] - mean[c]) ** 2 / (N * plane)));
  return { mean, variance };
}

/** y = (x - mean) / sqrt(variance + eps) w + b, by channel. In training the statistics are the batch's own. */
export function batchNormForward(
  problem: BatchNormProblem,
  { mean, variance }: Statistics,
  x: ArrayLike<number>,
  w: ArrayLike<number>,
  b: ArrayLike<number>,
): Float64Array {
  const y = new Float64Array(x.length);
  forEach(problem, (i, c) => {
    y[i] = ((x[i] - mean[c]) / Math.sqrt(variance[c] + problem.eps)) * w[c] + b[c];
  });
  return y;
}

/** The running statistics after a batch; the running variance is unbiased. */
export function movedStatistics(
  { N, plane }: BatchNormProblem,
  { mean, variance }: Statistics,
  running: { mean: ArrayLike<number>; variance: ArrayLike<number> },
  momentum: number,
): Statistics {
  const n = N * plane;
  const move = (from: ArrayLike<number>, to: Float64Array) =>
    to.map((value, c) => (1 - momentum) * from[c] + momentum * value);
  return {
    mean: move(running.mean, mean),
    variance: move(
      running.variance,
      variance.map((value) => (value * n) / (n - 1)),
    ),
  };
}

/** The gradients of x, w and b in training: the statistics depend on x as well. */
export function batchNormBackward(
  problem: BatchNormProblem,
  x: ArrayLike<number>,
  w: ArrayLike<number>,
  dy: ArrayLike<number>,
): { dx: Float64Array; dw: Float64Array; db: Float64Array } {
  const { N, C, plane, eps } = problem;
  const { mean, variance } = batchStatistics(problem, x);
  const deviation = variance.map((value) => Math.sqrt(value + eps));
  const dw = new Float64Array(C);
  const db = new Float64Array(C);
  const dx = new Float64Array(x.length);
  const normalised = (i: number, c: number) => (x[i] - mean[c]) / deviation[c];
  forEach(problem, (i, c) => {
    dw[c] += dy[i] * normalised(i, c);
    db[c] += dy[i];
  });
  const n = N * plane;
  forEach(problem, (i, c) => {
    dx[i] = (w[c] / deviation[c]) * (dy[i] - db[c] / n - (normalised(i, c) * dw[c]) / n);
  });
  return { dx, dw, db };
}

/** Visits every value with its channel. */
function forEach(
  { N, C, plane }: Pick<BatchNormProblem, 'N' | 'C' | 'plane'>,
  visit: (i: number, channel: number) => void,
): void {
  for (let i = 0; i < N * C * plane; i++) visit(i, Math.floor(i / plane) % C);
}

export default {
  batch_norm({ attributes, inputs: [x], shapes: [[N, C, ...rest]], parameters: { weight, bias } }) {
    const { eps } = attributes as BatchNormAttributes;
    const problem: BatchNormProblem = { N, C, plane: elements(rest), eps };
    return {
      y: batchNormForward(problem, batchStatistics(problem, x), x, weight, bias),
      backward(dy) {
        const { dx, dw, db } = batchNormBackward(problem, x, weight, dy);
        return { inputs: [dx], parameters: { weight: dw, bias: db } };
      },
    };
  },
} satisfies References;
