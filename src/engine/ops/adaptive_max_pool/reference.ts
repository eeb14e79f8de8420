/** Adaptive max pooling in float64, as PyTorch's adaptive_max_pool2d. x [N,C,H,W], y [N,C,P,Q]. */
import { elements, type Shape } from '../../../base/shape.ts';
import { sharedOut } from '../adaptive_pooling.ts';

export interface AdaptiveMaxPoolOutput {
  y: Float64Array;
  /** For each output the index of its maximum in x. */
  argmax: Uint32Array;
}

/** Of equal maxima the first in scan order wins; NaN beats every number, and the last NaN every other. */
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
    for (const [p, rows] of sharedOut(H, P).entries()) {
      for (const [q, columns] of sharedOut(W, Q).entries()) {
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

/** The gradient of x: each output's goes to where its maximum was. */
export function adaptiveMaxPoolBackward(
  input: Shape,
  argmax: Uint32Array,
  dy: ArrayLike<number>,
): Float64Array {
  const dx = new Float64Array(elements(input));
  argmax.forEach((at, i) => (dx[at] += dy[i]));
  return dx;
}
