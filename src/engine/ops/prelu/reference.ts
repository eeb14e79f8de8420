import type { References } from '../../reference/ops.ts';

/** PReLU in float64, as PyTorch's nn.PReLU. x [N, ...], with as many values for each slope of an image, one after the other. */

const slopeOf = (x: ArrayLike<number>, N: number, w: ArrayLike<number>) => (i: number) =>
  Math.floor((i * N * w.length) / x.length) % w.length;

export function preluForward(N: number, x: ArrayLike<number>, w: ArrayLike<number>): Float64Array {
  const slope = slopeOf(x, N, w);
  return Float64Array.from(x, (value, i) => (value > 0 ? value : w[slope(i)] * value));
}

/** The gradients of x and w. At 0 the slope is w, as in PyTorch. */
export function preluBackward(
  N: number,
  x: ArrayLike<number>,
  w: ArrayLike<number>,
  dy: ArrayLike<number>,
): { dx: Float64Array; dw: Float64Array } {
  const slope = slopeOf(x, N, w);
  const dw = new Float64Array(w.length);
  const dx = Float64Array.from(x, (value, i) => {
    if (value > 0) return dy[i];
    dw[slope(i)] += dy[i] * value;
    return dy[i] * w[slope(i)];
  });
  return { dx, dw };
}

export default {
  prelu({ inputs: [x], shapes: [[N]], parameters: { weight } }) {
    return {
      y: preluForward(N, x, weight),
      backward(dy) {
        const { dx, dw } = preluBackward(N, x, weight, dy);
        return { inputs: [dx], parameters: { weight: dw } };
      },
    };
  },
} satisfies References;
