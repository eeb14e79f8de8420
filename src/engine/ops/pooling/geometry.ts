/**
 * The windows of pooling. In max_pool and avg_pool, windows of R x S move over images of H x W and give P x Q outputs,
 * for each channel separately; pairs are [vertical, horizontal], and attributes have PyTorch's names and defaults.
 *
 * In adaptive pooling, P x Q windows divide each plane among them, so the output has the requested size. If a plane
 * does not divide evenly, windows overlap by a row or column; if there are more windows than rows, they share rows. As
 * PyTorch's nn.AdaptiveAvgPool2d: window p starts at floor(p H / P) and ends before ceil((p + 1) H / P).
 */
import { reachOf, resolvePadding, uncountable, type Extent, type Padding } from '../../../base/padding.ts';
import { Failure } from '../../../base/result.ts';
import { elements, type Shape, showShape, type Pair } from '../../../base/shape.ts';
import type { Constants } from '../../../gpu/link.ts';
import type { ValuesOf } from '../../../ops/attributes.ts';
import type { adaptivePool, avgPool, maxPool } from '../../../ops/pooling/attributes.ts';
import type { Layout } from '../../dispatch.ts';

export type MaxPoolAttributes = ValuesOf<typeof maxPool>;
export type AvgPoolAttributes = ValuesOf<typeof avgPool>;
export type AdaptivePoolAttributes = ValuesOf<typeof adaptivePool>;

export interface PoolProblem {
  readonly N: number;
  readonly C: number;
  readonly H: number;
  readonly W: number;
  readonly R: number;
  readonly S: number;
  readonly P: number;
  readonly Q: number;
  readonly stride: Pair;
  readonly padding: Padding;
  readonly dilation: Pair;
}

/**
 * @param op for messages: "max_pool"
 * @throws Failure `bad-input` if the attributes do not fit one another or the input
 */
export function poolProblem(
  op: string,
  attributes: MaxPoolAttributes | AvgPoolAttributes,
  input: Shape,
): PoolProblem {
  const { kernelSize, stride, padding } = attributes;
  const dilation: Pair = 'dilation' in attributes ? attributes.dilation : [1, 1];
  const bad = (message: string) => new Failure('bad-input', `${op}: ${message}`);
  if (input.length !== 4 || elements(input) < 1) {
    throw bad(`expected images [N, C, H, W], found ${showShape(input)}`);
  }
  const [N, C, H, W] = input;
  const [vertical, horizontal] = [H, W].map((size, axis): Extent => ({
    size,
    filter: kernelSize[axis],
    stride: stride[axis],
    dilation: dilation[axis],
  }));
  const sides = resolvePadding(padding, vertical, horizontal);
  const count = (extent: Extent, before: number, after: number) => {
    const wrong = uncountable(extent, before, after);
    if (wrong !== undefined) throw bad(wrong);
    const windows = windowsOf(extent, before, after);
    if (typeof windows === 'string') throw bad(windows);
    return windows;
  };
  const P = count(vertical, sides.top, sides.bottom);
  const Q = count(horizontal, sides.left, sides.right);
  const [R, S] = kernelSize;
  return Object.freeze({ N, C, H, W, R, S, P, Q, stride, padding: Object.freeze(sides), dilation });
}

/** The number of windows along rows or columns, or what is wrong with them. */
function windowsOf(extent: Extent, before: number, after: number): number | string {
  const { size, stride, dilation } = extent;
  const reach = reachOf(extent);
  // At the end, windows of ceil_mode may reach further; each has a pixel of the image.
  if (before > reach / 2) return `padding ${before} is more than half of the kernel's extent of ${reach}`;
  const room = size + before + after - reach;
  if (room < 0) {
    const padded = before === after ? before : `${before} and ${after}`;
    return `a kernel that spans ${reach} pixels does not fit into ${size} padded by ${padded}`;
  }
  const count = Math.floor(room / stride) + 1;
  for (let i = 0; i < count; i++) {
    const first = i * stride - before;
    // The first tap at or after 0.
    const inside = first < 0 ? first + Math.ceil(-first / dilation) * dilation : first;
    if (inside >= Math.min(size, first + reach)) return `window ${i} lies entirely in the padding`;
  }
  return count;
}

/** [N, C, P, Q] */
export const poolOutputShape = ({ N, C, P, Q }: PoolProblem): Shape => [N, C, P, Q];

/** The constants of shaders/pooling/windows.wgsl. */
// oxfmt-ignore
export const poolConstants = (
  { C, H, W, R, S, P, Q, stride, padding, dilation }: PoolProblem,
  layout?: Layout,
): Constants => ({
  H, W, R, S, P, Q,
  PLANES: layout === 'nhwc' ? C : 1,
  STRIDE_V: stride[0], STRIDE_H: stride[1],
  PADDING_TOP: padding.top, PADDING_LEFT: padding.left,
  DILATION_V: dilation[0], DILATION_H: dilation[1],
});

export interface Window {
  first: number;
  /** After the last. */
  end: number;
}

/** `count` windows over a line of `size` places. */
export const adaptiveWindows = (size: number, count: number): Window[] =>
  Array.from({ length: count }, (_, i) => ({
    first: Math.floor((i * size) / count),
    end: Math.ceil(((i + 1) * size) / count),
  }));

/**
 * [N, C, P, Q]
 * @param op for messages: "adaptive_avg_pool"
 * @throws Failure `bad-input`
 */
export function adaptiveOutputShape(op: string, { outputSize }: AdaptivePoolAttributes, input: Shape): Shape {
  if (input.length !== 4 || elements(input) < 1) {
    throw new Failure('bad-input', `${op}: expected images [N, C, H, W], found ${showShape(input)}`);
  }
  // The kernels' indices, (p + 1) H + P, stay within 32 bits.
  if (outputSize.some((size) => size > 32768)) {
    throw new Failure(
      'bad-input',
      `${op}: expected outputSize to be a pair [vertical, horizontal] of whole numbers from 1 to 32768, ` +
        `found ${JSON.stringify(outputSize)}`,
      'For global pooling it is [1, 1].',
    );
  }
  return [input[0], input[1], ...outputSize];
}

/** The constants of shaders/pooling/windows.wgsl. */
export function adaptiveConstants(
  { outputSize: [P, Q] }: AdaptivePoolAttributes,
  input: Shape,
  layout?: Layout,
): Constants {
  const [, C, H, W] = input;
  const largest = (size: number, count: number) =>
    Math.max(...adaptiveWindows(size, count).map(({ first, end }) => end - first));
  return {
    ADAPTIVE: true,
    PLANES: layout === 'nhwc' ? C : 1,
    H,
    W,
    R: largest(H, P),
    S: largest(W, Q),
    P,
    Q,
  };
}
