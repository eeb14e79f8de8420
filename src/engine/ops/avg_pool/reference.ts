/** Average pooling in float64, as PyTorch's avg_pool2d. x [N,C,H,W], y [N,C,P,Q]. */
import { elements } from '../../../base/shape.ts';
import { poolOutputShape, type PoolProblem } from '../pooling.ts';

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

/** The gradient of x: each output's in equal shares. */
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
        const top = p * stride[0] - padding[0];
        const left = q * stride[1] - padding[1];
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
