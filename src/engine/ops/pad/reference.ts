import { mirrored } from '../../../base/mirrored.ts';
import { elements, type Shape } from '../../../base/shape.ts';
import type { References } from '../../reference/ops.ts';
import pad, { sidesOf, type PadAttributes } from './index.ts';

/** Padding in float64. */

/** For each output value, the index of the input value that it is; -1 in a constant border. */
function sourcesOf(attributes: PadAttributes, input: Shape): number[] {
  const [, , H, W] = input;
  const [N, C, P, Q] = pad.outputShape(attributes, input);
  const { top, left } = sidesOf(attributes, input);
  const place = (at: number, size: number) => (attributes.mode === 'reflect' ? mirrored(at, size) : at);
  return Array.from({ length: N * C * P * Q }, (_, i) => {
    const h = place((Math.floor(i / Q) % P) - top, H);
    const w = place((i % Q) - left, W);
    return h >= 0 && h < H && w >= 0 && w < W ? (Math.floor(i / (P * Q)) * H + h) * W + w : -1;
  });
}

export function padForward(attributes: PadAttributes, input: Shape, x: ArrayLike<number>): Float64Array {
  return Float64Array.from(sourcesOf(attributes, input), (at) => (at < 0 ? attributes.value : x[at]));
}

/** Each output's gradient goes to the value that it is. */
export function padBackward(attributes: PadAttributes, input: Shape, dy: ArrayLike<number>): Float64Array {
  const dx = new Float64Array(elements(input));
  sourcesOf(attributes, input).forEach((at, i) => {
    if (at >= 0) dx[at] += dy[i];
  });
  return dx;
}

export default {
  pad({ attributes, inputs: [x], shapes: [shape] }) {
    const own = attributes as PadAttributes;
    return { y: padForward(own, shape, x), backward: (dy) => ({ inputs: [padBackward(own, shape, dy)] }) };
  },
} satisfies References;
