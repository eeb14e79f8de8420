/** Maxout in float64. x [N, C, ...], y [N, C / pieces, ...]. */
import { elements, type Shape } from '../../../base/shape.ts';
import type { References } from '../../reference/ops.ts';
import type { MaxoutAttributes } from './index.ts';

export interface MaxoutOutput {
  y: Float64Array;
  /** For each output the index of its maximum in x. */
  argmax: Uint32Array;
}

/** The first of equal channels wins; the first NaN wins over every number. */
export function maxoutForward(shape: Shape, pieces: number, x: ArrayLike<number>): MaxoutOutput {
  const [N, C, ...rest] = shape;
  const inner = elements(rest);
  const y: number[] = [];
  const argmax: number[] = [];
  for (let n = 0; n < N; n++) {
    for (let c = 0; c < C; c += pieces) {
      for (let place = 0; place < inner; place++) {
        const group = Array.from({ length: pieces }, (_, piece) => (n * C + c + piece) * inner + place);
        // Math.max returns NaN if there is one; Object.is treats NaN as equal to itself, and adding 0 turns -0 into 0.
        const largest = Math.max(...group.map((i) => x[i] + 0));
        y.push(largest);
        argmax.push(group.find((i) => Object.is(x[i] + 0, largest)) as number);
      }
    }
  }
  return { y: Float64Array.from(y), argmax: Uint32Array.from(argmax) };
}

/** The gradient of x: each output's gradient goes to the place of its maximum. */
export function maxoutBackward(shape: Shape, argmax: Uint32Array, dy: ArrayLike<number>): Float64Array {
  const dx = new Float64Array(elements(shape));
  argmax.forEach((at, i) => (dx[at] += dy[i]));
  return dx;
}

export default {
  maxout({ attributes, inputs: [x], shapes: [shape] }) {
    const { pieces } = attributes as MaxoutAttributes;
    const { y, argmax } = maxoutForward(shape, pieces, x);
    return { y, backward: (dy) => ({ inputs: [maxoutBackward(shape, argmax, dy)] }) };
  },
} satisfies References;
