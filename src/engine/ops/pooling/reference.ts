/** Max and average pooling, plain and adaptive, in float64, as PyTorch's. x [N,C,H,W], y [N,C,P,Q]. */
import { elements, type Shape } from '../../../base/shape.ts';
import {
  adaptiveWindows,
  poolOutputShape,
  poolProblem,
  type AvgPoolAttributes,
  type MaxPoolAttributes,
  type PoolProblem,
} from './geometry.ts';
import type { References } from '../../reference/ops.ts';

/** @param countPadding whether the zeros of the padding count in the average, as they do by default */
export function avgPoolForward(
  problem: PoolProblem,
  x: ArrayLike<number>,
  countPadding = true,
): Float64Array {
  const y = new Float64Array(elements(poolOutputShape(problem)));
  forEachTap(problem, countPadding, (xi, yi, share) => (y[yi] += share * x[xi]));
  return y;
}

/** The gradient of x: each output's gradient in equal shares. */
export function avgPoolBackward(
  problem: PoolProblem,
  dy: ArrayLike<number>,
  countPadding = true,
): Float64Array {
  const { N, C, H, W } = problem;
  const dx = new Float64Array(N * C * H * W);
  forEachTap(problem, countPadding, (xi, yi, share) => (dx[xi] += share * dy[yi]));
  return dx;
}

/** Visits every (input, output) pair with the input's share in the output. */
function forEachTap(
  { N, C, H, W, R, S, P, Q, stride, padding }: PoolProblem,
  countPadding: boolean,
  visit: (xi: number, yi: number, share: number) => void,
): void {
  for (let plane = 0; plane < N * C; plane++) {
    for (let p = 0; p < P; p++) {
      for (let q = 0; q < Q; q++) {
        const top = p * stride[0] - padding.top;
        const left = q * stride[1] - padding.left;
        const rows = [Math.max(top, 0), Math.min(top + R, H)];
        const columns = [Math.max(left, 0), Math.min(left + S, W)];
        const count = countPadding ? R * S : (rows[1] - rows[0]) * (columns[1] - columns[0]);
        for (let h = rows[0]; h < rows[1]; h++) {
          for (let w = columns[0]; w < columns[1]; w++) {
            visit((plane * H + h) * W + w, (plane * P + p) * Q + q, 1 / count);
          }
        }
      }
    }
  }
}

export function adaptiveAvgPoolForward(input: Shape, output: Shape, x: ArrayLike<number>): Float64Array {
  const y = new Float64Array(elements(output));
  forEachAdaptiveTap(input, output, (xi, yi, share) => (y[yi] += share * x[xi]));
  return y;
}

/** The gradient of x: each output's gradient in equal shares. */
export function adaptiveAvgPoolBackward(input: Shape, output: Shape, dy: ArrayLike<number>): Float64Array {
  const dx = new Float64Array(elements(input));
  forEachAdaptiveTap(input, output, (xi, yi, share) => (dx[xi] += share * dy[yi]));
  return dx;
}

/** Visits every (input, output) pair with the input's share in the output. */
function forEachAdaptiveTap(
  [N, C, H, W]: Shape,
  [, , P, Q]: Shape,
  visit: (xi: number, yi: number, share: number) => void,
): void {
  for (let plane = 0; plane < N * C; plane++) {
    for (const [p, rows] of adaptiveWindows(H, P).entries()) {
      for (const [q, columns] of adaptiveWindows(W, Q).entries()) {
        const share = 1 / ((rows.end - rows.first) * (columns.end - columns.first));
        for (let h = rows.first; h < rows.end; h++) {
          for (let w = columns.first; w < columns.end; w++) {
            visit((plane * H + h) * W + w, (plane * P + p) * Q + q, share);
          }
        }
      }
    }
  }
}

export interface MaxPoolOutput {
  y: Float64Array;
  /** For each output the place h W + w of its maximum in the image's plane. */
  argmax: Uint32Array;
}

/** The first of equal maxima in scan order wins; NaN wins over every number, and the last NaN over all others. */
export function maxPoolForward(problem: PoolProblem, x: ArrayLike<number>): MaxPoolOutput {
  const { N, C, H, W, R, S, P, Q, stride, padding, dilation } = problem;
  const y = new Float64Array(elements(poolOutputShape(problem)));
  const argmax = new Uint32Array(y.length);
  for (let plane = 0; plane < N * C; plane++) {
    for (let p = 0; p < P; p++) {
      for (let q = 0; q < Q; q++) {
        let largest = -Infinity;
        let place = -1;
        for (let r = 0; r < R; r++) {
          for (let s = 0; s < S; s++) {
            const h = p * stride[0] - padding.top + r * dilation[0];
            const w = q * stride[1] - padding.left + s * dilation[1];
            if (h < 0 || h >= H || w < 0 || w >= W) continue;
            const value = x[(plane * H + h) * W + w];
            if (place < 0 || value > largest || Number.isNaN(value)) {
              largest = value;
              place = h * W + w;
            }
          }
        }
        const i = (plane * P + p) * Q + q;
        y[i] = largest;
        argmax[i] = place;
      }
    }
  }
  return { y, argmax };
}

/** The gradient of x: each output's gradient goes to the place of its maximum. */
export function maxPoolBackward(
  problem: PoolProblem,
  argmax: Uint32Array,
  dy: ArrayLike<number>,
): Float64Array {
  const { N, C, H, W, P, Q } = problem;
  const dx = new Float64Array(N * C * H * W);
  for (let i = 0; i < argmax.length; i++) dx[Math.floor(i / (P * Q)) * H * W + argmax[i]] += dy[i];
  return dx;
}

export interface AdaptiveMaxPoolOutput {
  y: Float64Array;
  /** For each output the index of its maximum in x. */
  argmax: Uint32Array;
}

/** The first of equal maxima in scan order wins; NaN wins over every number, and the last NaN over all others. */
export function adaptiveMaxPoolForward(
  input: Shape,
  output: Shape,
  x: ArrayLike<number>,
): AdaptiveMaxPoolOutput {
  const [N, C, H, W] = input;
  const [, , P, Q] = output;
  const y = new Float64Array(elements(output));
  const argmax = new Uint32Array(y.length);
  for (let plane = 0; plane < N * C; plane++) {
    for (const [p, rows] of adaptiveWindows(H, P).entries()) {
      for (const [q, columns] of adaptiveWindows(W, Q).entries()) {
        let best = (plane * H + rows.first) * W + columns.first;
        for (let h = rows.first; h < rows.end; h++) {
          for (let w = columns.first; w < columns.end; w++) {
            const i = (plane * H + h) * W + w;
            if (x[i] > x[best] || Number.isNaN(x[i])) best = i;
          }
        }
        const i = (plane * P + p) * Q + q;
        y[i] = x[best];
        argmax[i] = best;
      }
    }
  }
  return { y, argmax };
}

/** The gradient of x: each output's gradient goes to the place of its maximum. */
export function adaptiveMaxPoolBackward(
  input: Shape,
  argmax: Uint32Array,
  dy: ArrayLike<number>,
): Float64Array {
  const dx = new Float64Array(elements(input));
  argmax.forEach((at, i) => (dx[at] += dy[i]));
  return dx;
}

export default {
  max_pool({ attributes, inputs: [x], shapes: [shape] }) {
    const problem = poolProblem('max_pool', attributes as MaxPoolAttributes, shape);
    const { y, argmax } = maxPoolForward(problem, x);
    return { y, backward: (dy) => ({ inputs: [maxPoolBackward(problem, argmax, dy)] }) };
  },

  avg_pool({ attributes, inputs: [x], shapes: [shape] }) {
    const own = attributes as AvgPoolAttributes;
    const problem = poolProblem('avg_pool', own, shape);
    return {
      y: avgPoolForward(problem, x, own.countIncludePad),
      backward: (dy) => ({ inputs: [avgPoolBackward(problem, dy, own.countIncludePad)] }),
    };
  },

  adaptive_avg_pool: ({ inputs: [x], shapes: [shape], output }) => ({
    y: adaptiveAvgPoolForward(shape, output, x),
    backward: (dy) => ({ inputs: [adaptiveAvgPoolBackward(shape, output, dy)] }),
  }),

  adaptive_max_pool({ inputs: [x], shapes: [shape], output }) {
    const { y, argmax } = adaptiveMaxPoolForward(shape, output, x);
    return { y, backward: (dy) => ({ inputs: [adaptiveMaxPoolBackward(shape, argmax, dy)] }) };
  },
} satisfies References;
