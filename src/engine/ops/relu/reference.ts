import type { References } from '../../reference/ops.ts';

/** max(x, 0); NaN stays NaN. */
export function reluForward(x: ArrayLike<number>): Float64Array {
  return Float64Array.from(x).map((value) => Math.max(value, 0));
}

/** The gradient of x, from the forward pass's output: PyTorch's choice at 0 is 0. */
export function reluBackward(y: ArrayLike<number>, dy: ArrayLike<number>): Float64Array {
  return Float64Array.from(dy).map((gradient, i) => (y[i] > 0 ? gradient : 0));
}

export default {
  relu({ inputs: [x] }) {
    const y = reluForward(x);
    return { y, backward: (dy) => ({ inputs: [reluBackward(y, dy)] }) };
  },
} satisfies References;
