/**
 * The convolution problem, one immutable description for every algorithm and direction, in the field's letters:
 * N images of C channels and H x W; K filters of R x S; N x K x P x Q outputs. Pairs are [vertical, horizontal].
 * Cross-correlation with zero padding, as PyTorch's conv2d: x [N,C,H,W], w [K,C/groups,R,S], y [N,K,P,Q]; in layout NHWC
 * x [N,H,W,C], w [K,R,S,C/groups], y [N,P,Q,K].
 */
import {
  isPaddingSetting,
  PADDING_FORMS,
  paddingPair,
  parsePadding,
  reachOf,
  resolvePadding,
  showPadding,
  uncountable,
  type Extent,
  type Padding,
  type PaddingSetting,
} from '../../../base/padding.ts';
import { Failure } from '../../../base/result.ts';
import { elements, MOST_ELEMENTS, type Shape, type Pair } from '../../../base/shape.ts';
import { LAYOUTS, type Layout } from './layout.ts';

export type Direction = 'fprop' | 'dgrad' | 'wgrad';

export const DIRECTIONS: readonly Direction[] = ['fprop', 'dgrad', 'wgrad'];

export interface ConvProblem {
  readonly N: number;
  readonly C: number;
  readonly H: number;
  readonly W: number;
  readonly K: number;
  readonly R: number;
  readonly S: number;
  readonly P: number;
  readonly Q: number;
  readonly stride: Pair;
  readonly padding: Padding;
  readonly dilation: Pair;
  readonly groups: number;
  readonly layout: Layout;
}

/** The sizes of a problem: P and Q follow. */
export interface ProblemSizes {
  N: number;
  C: number;
  H: number;
  W: number;
  K: number;
  R: number;
  S: number;
  /** Default 1. */
  stride?: Pair;
  /** Default 0. `same` is resolved to numbers: base/padding.ts. */
  padding?: PaddingSetting;
  /** Default 1. */
  dilation?: Pair;
  /** Default 1. C for depthwise. */
  groups?: number;
  /** Default nchw. */
  layout?: Layout;
}

/**
 * Checks the sizes and computes P and Q.
 * @throws Failure `bad-input` saying which size does not fit and why
 */
export function convProblem(sizes: ProblemSizes): ConvProblem {
  const { N, C, H, W, K, R, S } = sizes;
  const { stride = [1, 1], padding = [0, 0], dilation = [1, 1], groups = 1, layout = 'nchw' } = sizes;
  for (const [name, value] of Object.entries({ N, C, H, W, K, R, S, groups })) requireWhole(name, value, 1);
  requirePair('stride', stride, 1);
  requirePair('dilation', dilation, 1);
  if (!LAYOUTS.includes(layout))
    throw bad(`expected layout to be ${LAYOUTS.join(' or ')}, found ${String(layout)}`);
  if (C % groups !== 0) throw bad(`${C} input channels do not divide into ${groups} groups`);
  if (K % groups !== 0) throw bad(`${K} filters do not divide into ${groups} groups`);
  // By its type it is one, but a model file may contain anything.
  if (!isPaddingSetting(padding)) {
    throw bad(`expected padding to be ${PADDING_FORMS}, found ${JSON.stringify(padding)}`);
  }
  const vertical: Extent = { size: H, filter: R, stride: stride[0], dilation: dilation[0] };
  const horizontal: Extent = { size: W, filter: S, stride: stride[1], dilation: dilation[1] };
  const sides = resolvePadding(padding, vertical, horizontal);
  const wrong =
    uncountable(vertical, sides.top, sides.bottom) ?? uncountable(horizontal, sides.left, sides.right);
  if (wrong !== undefined) throw bad(wrong);
  const P = outputSize('vertically', vertical, sides.top + sides.bottom);
  const Q = outputSize('horizontally', horizontal, sides.left + sides.right);
  // oxfmt-ignore
  const problem: ConvProblem = Object.freeze({
    N, C, H, W, K, R, S, P, Q,
    stride: Object.freeze([...stride] as const),
    padding: Object.freeze(sides),
    dilation: Object.freeze([...dilation] as const),
    groups,
    layout,
  });
  const tensors = { input: inputShape(problem), weights: weightShape(problem), output: outputShape(problem) };
  for (const [name, shape] of Object.entries(tensors)) {
    if (elements(shape) > MOST_ELEMENTS) throw bad(`the ${name} has more than ${MOST_ELEMENTS} values`);
  }
  return problem;
}

const shapeIn = (layout: Layout, [items, channels, rows, columns]: Shape): Shape =>
  layout === 'nhwc' ? [items, rows, columns, channels] : [items, channels, rows, columns];

/** [N, C, H, W], or [N, H, W, C] */
export const inputShape = ({ layout, N, C, H, W }: ConvProblem): Shape => shapeIn(layout, [N, C, H, W]);

/** [K, C / groups, R, S], or [K, R, S, C / groups] */
export const weightShape = ({ layout, K, C, R, S, groups }: ConvProblem): Shape =>
  shapeIn(layout, [K, C / groups, R, S]);

/** [N, K, P, Q], or [N, P, Q, K] */
export const outputShape = ({ layout, N, K, P, Q }: ConvProblem): Shape => shapeIn(layout, [N, K, P, Q]);

/** Floating-point operations of the direct method, the same in all three directions: a multiply-add counts as two. */
export const flops = ({ N, C, K, R, S, P, Q, groups }: ConvProblem): number =>
  2 * N * K * P * Q * (C / groups) * R * S;

/**
 * The problem as a string: equal for equal problems. "n1 c4 32x32 k16 3x3 s1x1 p1x1 d1x1 g1"; padding that is unequal
 * on opposite sides as "p0,1,0,1": top, bottom, left, right; layout NHWC as " nhwc" at the end.
 */
export function problemKey(problem: ConvProblem): string {
  const { N, C, H, W, K, R, S, stride, padding, dilation, groups, layout } = problem;
  const pair = ([vertical, horizontal]: Pair) => `${vertical}x${horizontal}`;
  const equal = paddingPair(padding);
  const sides = equal ? pair(equal) : showPadding(padding);
  const sizes = `n${N} c${C} ${H}x${W} k${K} ${R}x${S} s${pair(stride)} p${sides} d${pair(dilation)} g${groups}`;
  return layout === 'nchw' ? sizes : `${sizes} ${layout}`;
}

/**
 * Reads what `problemKey` writes. Strides, padding, dilation, groups and layout may be omitted, a pair may be one number, and
 * padding a word: "n1 c4 32x32 k16 3x3 p1", "n1 c4 32x32 k16 3x3 psame".
 * @throws Failure `bad-input`
 */
export function parseProblem(text: string): ConvProblem {
  const PATTERN =
    /^n(\d+) c(\d+) (\d+)x(\d+) k(\d+) (\d+)x(\d+)(?: s(\d+(?:x\d+)?))?(?: p(\S+))?(?: d(\d+(?:x\d+)?))?(?: g(\d+))?(?: (nchw|nhwc))?$/;
  const match = PATTERN.exec(text.trim());
  const padding = match?.[9] === undefined ? undefined : parsePadding(match[9]);
  if (match === null || (match[9] !== undefined && padding === undefined)) {
    throw bad(`expected sizes such as "n1 c4 32x32 k16 3x3 s1x1 p1x1 d1x1 g1", found "${text}"`);
  }
  const [N, C, H, W, K, R, S] = match.slice(1, 8).map(Number);
  const pair = (given: string | undefined): Pair | undefined => {
    if (given === undefined) return undefined;
    const [vertical, horizontal = vertical] = given.split('x').map(Number);
    return [vertical, horizontal];
  };
  const [stride, dilation] = [pair(match[8]), pair(match[10])];
  const groups = match[11] === undefined ? undefined : Number(match[11]);
  const layout = LAYOUTS.find((one) => one === match[12]);
  return convProblem({
    N,
    C,
    H,
    W,
    K,
    R,
    S,
    stride,
    padding,
    dilation,
    groups,
    ...(layout ? { layout } : {}),
  });
}

/** How often a dilated filter fits into the padded image, rounded down as in PyTorch. */
function outputSize(way: string, extent: Extent, padding: number): number {
  const reach = reachOf(extent);
  const padded = extent.size + padding;
  if (reach > padded) {
    throw bad(`a filter that spans ${reach} pixels does not fit ${way} into a padded image of ${padded}`);
  }
  return Math.floor((padded - reach) / extent.stride) + 1;
}

function requireWhole(name: string, value: number, least: number): void {
  if (!Number.isSafeInteger(value) || value < least) {
    throw bad(`expected ${name} to be a whole number of at least ${least}, found ${value}`);
  }
}

/** By its type it is a pair, but a model file may contain anything. */
function requirePair(name: string, pair: Pair, least: number): void {
  if (!Array.isArray(pair) || pair.length !== 2) {
    throw bad(`expected ${name} to be a pair [vertical, horizontal], found ${JSON.stringify(pair)}`);
  }
  for (const value of pair) requireWhole(name, value, least);
}

const bad = (message: string) => new Failure('bad-input', `convolution: ${message}`);
