/** Adaptive average pooling in float64, as PyTorch's adaptive_avg_pool2d. x [N,C,H,W], y [N,C,P,Q]. */
import { elements, type Shape } from '../../../base/shape.ts';
import { sharedOut } from '../adaptive_pooling.ts';

export function adaptiveAvgPoolForward(input: Shape, output: Shape, x: ArrayLike<number>): Float64Array {
  const y = new Float64Array(elements(output));
  forEachTap(input, output, (xi, yi, share) => (y[yi] += share * x[xi]));
  return y;
}

/** The gradient of x: each output's in equal shares. */
export function adaptiveAvgPoolBackward(input: Shape, output: Shape, dy: ArrayLike<number>): Float64Array {
  const dx = new Float64Array(elements(input));
  forEachTap(input, output, (xi, yi, share) => (dx[xi] += share * dy[yi]));
  return dx;
}

/** Visits every (input, output) pair with the input's share in the output. */
function forEachTap(
  [N, C, H, W]: Shape,
  [, , P, Q]: Shape,
  visit: (xi: number, yi: number, share: number) => void,
): void {
  for (let plane = 0; plane < N * C; plane++) {
    for (const [p, rows] of sharedOut(H, P).entries()) {
      for (const [q, columns] of sharedOut(W, Q).entries()) {
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
