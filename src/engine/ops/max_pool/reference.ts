/** Max pooling in float64, as PyTorch's max_pool2d. x [N,C,H,W], y [N,C,P,Q]. */
import { elements } from '../../../base/shape.ts';
import { poolOutputShape, type PoolProblem } from '../pooling.ts';

export interface MaxPoolOutput {
  y: Float64Array;
  /** For each output the place h W + w of its maximum in the image's plane. */
  argmax: Uint32Array;
}

/** Of equal maxima the first in scan order wins; NaN beats every number, and the last NaN every other. */
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
            const h = p * stride[0] - padding[0] + r * dilation[0];
            const w = q * stride[1] - padding[1] + s * dilation[1];
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

/** The gradient of x: each output's goes to where its maximum was. */
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
