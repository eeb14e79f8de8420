/**
 * Sizes that kernels typically get wrong, one list for every algorithm. All are small: a software GPU computes them in
 * milliseconds.
 */
import { isQuick } from '../../base/testing/tier.ts';
import { convProblem, type ConvProblem, type ProblemSizes } from '../ops/conv/problem.ts';
import type { LinearProblem } from '../ops/linear/reference.ts';
import pad, { type PadAttributes } from '../ops/pad/index.ts';
import { poolProblem, type MaxPoolAttributes } from '../ops/pooling/geometry.ts';
import { maxPool } from '../ops/pooling/max.ts';
import { complete } from './node.ts';
import type { Shape, Pair } from '../../base/shape.ts';

export interface Named<T> {
  readonly name: string;
  readonly problem: T;
}

const conv = (name: string, sizes: ProblemSizes): Named<ConvProblem> => ({
  name,
  problem: convProblem(sizes),
});

// oxfmt-ignore
export const ALL_CONV_PROBLEMS: readonly Named<ConvProblem>[] = [
  conv('all ones', { N: 1, C: 1, H: 1, W: 1, K: 1, R: 1, S: 1 }),
  conv('1x1 image, 3x3 filter, padded', { N: 3, C: 2, H: 1, W: 1, K: 5, R: 3, S: 3, padding: [1, 1] }),
  conv('1x1 filter', { N: 2, C: 7, H: 5, W: 6, K: 9, R: 1, S: 1 }),
  conv('1x1 filter, stride 2', { N: 2, C: 5, H: 7, W: 8, K: 3, R: 1, S: 1, stride: [2, 2] }),
  conv('1x1 filter, padded', { N: 1, C: 3, H: 4, W: 3, K: 2, R: 1, S: 1, padding: [1, 2] }),
  conv('strip 1x300', { N: 1, C: 3, H: 1, W: 300, K: 4, R: 1, S: 3, padding: [0, 1] }),
  conv('strip 300x1', { N: 1, C: 3, H: 300, W: 1, K: 4, R: 3, S: 1, padding: [1, 0] }),
  conv('strip 1x300, 5x5 filter', { N: 2, C: 1, H: 1, W: 300, K: 2, R: 5, S: 5, padding: [2, 2] }),
  conv('stride 4', { N: 2, C: 3, H: 17, W: 19, K: 5, R: 3, S: 3, stride: [4, 4], padding: [1, 1] }),
  conv('stride larger than filter', { N: 2, C: 2, H: 11, W: 13, K: 3, R: 2, S: 2, stride: [5, 3] }),
  conv('stride leaves a remainder', { N: 1, C: 2, H: 10, W: 12, K: 3, R: 3, S: 3, stride: [2, 4] }),
  conv('unequal strides', { N: 2, C: 3, H: 9, W: 14, K: 4, R: 3, S: 5, stride: [1, 3], padding: [1, 2] }),
  conv('unequal paddings', { N: 2, C: 3, H: 8, W: 7, K: 4, R: 3, S: 3, padding: [0, 2] }),
  conv('unequal dilations', { N: 2, C: 3, H: 11, W: 9, K: 4, R: 3, S: 3, dilation: [3, 2], padding: [3, 0] }),
  conv('everything unequal', { N: 3, C: 6, H: 13, W: 10, K: 4, R: 3, S: 2, stride: [2, 3], padding: [1, 2], dilation: [2, 3], groups: 2 }),
  conv('dilation and stride share a factor', { N: 1, C: 2, H: 12, W: 12, K: 2, R: 3, S: 3, stride: [2, 2], dilation: [2, 2], padding: [2, 2] }),
  conv('groups', { N: 2, C: 6, H: 7, W: 7, K: 9, R: 3, S: 3, padding: [1, 1], groups: 3 }),
  conv('depthwise', { N: 2, C: 5, H: 8, W: 9, K: 5, R: 3, S: 3, padding: [1, 1], groups: 5 }),
  conv('depthwise, two filters a channel', { N: 1, C: 4, H: 6, W: 6, K: 8, R: 3, S: 3, stride: [2, 2], padding: [1, 1], groups: 4 }),
  conv('11x11 filter', { N: 1, C: 3, H: 23, W: 19, K: 4, R: 11, S: 11, padding: [2, 2], stride: [4, 4] }),
  conv('11x11 filter, stride 1', { N: 1, C: 2, H: 12, W: 14, K: 3, R: 11, S: 11, padding: [5, 5] }),
  conv('32x1 filter', { N: 1, C: 2, H: 33, W: 3, K: 2, R: 32, S: 1 }),
  conv('filter larger than image', { N: 2, C: 2, H: 3, W: 2, K: 3, R: 5, S: 6, padding: [2, 3] }),
  conv('filter covers the image', { N: 4, C: 3, H: 5, W: 4, K: 6, R: 5, S: 4 }),
  conv('one channel', { N: 3, C: 1, H: 9, W: 9, K: 6, R: 5, S: 5, padding: [2, 2] }),
  conv('one filter', { N: 3, C: 6, H: 9, W: 9, K: 1, R: 5, S: 5 }),
  conv('one image', { N: 1, C: 4, H: 8, W: 8, K: 16, R: 3, S: 3, padding: [1, 1] }),
  conv('odd everything', { N: 3, C: 5, H: 7, W: 11, K: 13, R: 3, S: 5, padding: [1, 2] }),
  conv('padding larger than needed', { N: 1, C: 2, H: 4, W: 5, K: 3, R: 2, S: 2, padding: [4, 3] }),
  conv('padding larger than the filter', { N: 2, C: 3, H: 5, W: 6, K: 4, R: 3, S: 3, padding: [4, 3] }),
  conv('5x5 filter, groups, padding larger than the filter', { N: 2, C: 4, H: 7, W: 6, K: 6, R: 5, S: 5, padding: [6, 5], groups: 2 }),
  conv('5x5 filter, rows of a multiple of four', { N: 2, C: 6, H: 9, W: 8, K: 7, R: 5, S: 5, padding: [2, 2] }),
  conv('one more than tiles of 32', { N: 1, C: 11, H: 3, W: 13, K: 33, R: 3, S: 3, padding: [1, 0] }),
  conv('one more than tiles of 64 and 128', { N: 1, C: 17, H: 1, W: 131, K: 65, R: 1, S: 3 }),
  conv('one less than tiles of 64', { N: 1, C: 7, H: 7, W: 9, K: 63, R: 3, S: 3, padding: [1, 1] }),
  conv('tiles that fit', { N: 2, C: 16, H: 8, W: 8, K: 32, R: 3, S: 3, padding: [1, 1] }),
  conv('long sums in wgrad', { N: 5, C: 2, H: 33, W: 33, K: 3, R: 3, S: 3 }),
  conv('long sums in fprop', { N: 1, C: 129, H: 3, W: 3, K: 5, R: 3, S: 3 }),
  // The largest numbers that kernels have to count with.
  conv('strides and paddings of 2^29', { N: 2, C: 3, H: 4, W: 5, K: 4, R: 3, S: 2, stride: [2 ** 29, 1], padding: { top: 1, bottom: 2 ** 29, left: 0, right: 1 } }),
  conv('dilations and paddings of 2^29', { N: 2, C: 3, H: 4, W: 5, K: 4, R: 2, S: 2, padding: { top: 2 ** 29, bottom: 1, left: 1, right: 0 }, dilation: [2 ** 29, 1] }),
  conv('same, even filter', { N: 2, C: 3, H: 7, W: 8, K: 4, R: 4, S: 2, padding: 'same' }),
  conv('same, stride 2', { N: 2, C: 4, H: 8, W: 7, K: 5, R: 3, S: 3, stride: [2, 2], padding: 'same' }),
  conv('same, dilation', { N: 1, C: 3, H: 6, W: 9, K: 2, R: 2, S: 4, dilation: [3, 1], padding: 'same' }),
  conv('3x3 filter, four paddings', { N: 2, C: 5, H: 6, W: 7, K: 4, R: 3, S: 3, padding: { top: 0, bottom: 1, left: 2, right: 0 } }),
  conv('3x3 filter, wide padding on two sides', { N: 2, C: 3, H: 5, W: 6, K: 4, R: 3, S: 3, padding: { top: 4, bottom: 0, left: 0, right: 5 } }),
  conv('5x5 filter, four paddings, groups', { N: 2, C: 4, H: 9, W: 6, K: 6, R: 5, S: 5, padding: { top: 1, bottom: 3, left: 4, right: 0 }, groups: 2 }),
  conv('four paddings, strides, dilations', { N: 2, C: 3, H: 11, W: 9, K: 4, R: 2, S: 3, stride: [2, 3], dilation: [3, 2], padding: { top: 0, bottom: 3, left: 1, right: 4 } }),
];

/** On these alone, every fault that is put into convolutions is caught. */
const QUICK = new Set([
  'all ones',
  '1x1 image, 3x3 filter, padded',
  '1x1 filter',
  'strip 1x300',
  'stride larger than filter',
  'everything unequal',
  'groups',
  'depthwise, two filters a channel',
  'filter larger than image',
  'odd everything',
  'padding larger than the filter',
  '5x5 filter, groups, padding larger than the filter',
  'one more than tiles of 32',
  'tiles that fit',
  'long sums in wgrad',
  'four paddings, strides, dilations',
]);

export const CONV_PROBLEMS = ALL_CONV_PROBLEMS.filter(({ name }) => !isQuick || QUICK.has(name));

const pool = (name: string, input: Shape, given: Partial<MaxPoolAttributes>) => {
  const attributes = complete(maxPool, given);
  return { name, attributes, problem: poolProblem('pool', attributes, input) };
};

/** For max and average pooling. */
// oxfmt-ignore
export const POOL_PROBLEMS = [
  pool('1x1 image', [2, 3, 1, 1], { kernelSize: [1, 1] }),
  pool('1x1 window', [2, 3, 5, 4], { kernelSize: [1, 1] }),
  pool('2x2', [3, 5, 8, 6], { kernelSize: [2, 2] }),
  pool('2x2 with a remainder', [3, 5, 7, 9], { kernelSize: [2, 2] }),
  pool('3x3, stride 2, overlapping', [2, 3, 11, 10], { kernelSize: [3, 3], stride: [2, 2] }),
  pool('3x3, stride 2, padded', [2, 3, 10, 11], { kernelSize: [3, 3], stride: [2, 2], padding: [1, 1] }),
  pool('3x3, stride 1, padded', [1, 2, 6, 7], { kernelSize: [3, 3], stride: [1, 1], padding: [1, 1] }),
  pool('stride larger than window', [2, 2, 13, 11], { kernelSize: [2, 2], stride: [5, 3] }),
  pool('everything unequal', [3, 2, 13, 17], { kernelSize: [3, 4], stride: [1, 3], padding: [0, 2] }),
  pool('strip 1x300', [1, 2, 1, 300], { kernelSize: [1, 3], stride: [1, 2], padding: [0, 1] }),
  pool('strip 300x1', [1, 2, 300, 1], { kernelSize: [3, 1], stride: [2, 1], padding: [1, 0] }),
  pool('whole image', [4, 7, 6, 5], { kernelSize: [6, 5] }),
  pool('window larger than image', [2, 3, 2, 3], { kernelSize: [4, 5], padding: [2, 2] }),
  pool('same, 2x2, stride 1', [2, 3, 5, 6], { kernelSize: [2, 2], stride: [1, 1], padding: 'same' }),
  pool('same, 3x3, stride 2', [1, 3, 8, 7], { kernelSize: [3, 3], stride: [2, 2], padding: 'same' }),
  pool('four paddings', [2, 2, 9, 10], { kernelSize: [3, 4], stride: [2, 3], padding: { top: 1, bottom: 0, left: 0, right: 2 } }),
  pool('clipped at the end', [2, 3, 4, 6], { kernelSize: [3, 3], stride: [2, 2], padding: { top: 1, bottom: 2, left: 1, right: 2 } }),
] as const;

/** Dilated windows, for max pooling only. */
// oxfmt-ignore
export const DILATED_POOL_PROBLEMS = [
  pool('dilated', [2, 3, 9, 10], { kernelSize: [3, 2], stride: [2, 1], dilation: [2, 3] }),
  pool('dilated and padded', [1, 2, 8, 9], { kernelSize: [3, 3], stride: [1, 2], padding: [2, 1], dilation: [2, 2] }),
  pool('dilated, same', [1, 2, 8, 9], { kernelSize: [3, 2], stride: [1, 1], padding: 'same', dilation: [2, 3] }),
] as const;

const adaptive = (name: string, input: Shape, outputSize: Pair) => ({
  name,
  outputSize,
  input,
  output: [input[0], input[1], ...outputSize],
});

/** For adaptive max and average pooling. */
export const ADAPTIVE_POOL_PROBLEMS = [
  adaptive('1x1 to 1x1', [2, 3, 1, 1], [1, 1]),
  adaptive('global', [3, 5, 8, 8], [1, 1]),
  adaptive('global, odd sizes', [2, 65, 7, 5], [1, 1]),
  adaptive('same size', [2, 3, 5, 4], [5, 4]),
  adaptive('even parts', [2, 3, 12, 8], [3, 4]),
  adaptive('overlapping parts', [2, 3, 13, 11], [5, 7]),
  adaptive('more outputs than places', [1, 2, 4, 3], [7, 5]),
  adaptive('fewer rows, more columns', [2, 2, 10, 3], [3, 10]),
  adaptive('strip', [1, 2, 1, 300], [1, 7]),
] as const;

const padded = (name: string, input: Shape, given: Partial<PadAttributes>) => ({
  name,
  input,
  attributes: complete(pad, given),
});

// oxfmt-ignore
export const PAD_PROBLEMS = [
  padded('1x1 image, nothing added', [1, 1, 1, 1], {}),
  padded('1x1 image, nothing reflected', [2, 3, 1, 1], { mode: 'reflect' }),
  padded('zeros', [2, 3, 5, 4], { padding: [1, 2] }),
  padded('a constant on four sides', [3, 2, 4, 7], { padding: { top: 0, bottom: 3, left: 2, right: 1 }, value: -1.5 }),
  padded('more than the image', [1, 2, 2, 3], { padding: { top: 5, bottom: 0, left: 4, right: 9 }, value: 2 }),
  padded('reflected', [2, 5, 6, 9], { padding: [1, 1], mode: 'reflect' }),
  padded('reflected, as much as there is', [1, 2, 3, 2], { padding: [2, 1], mode: 'reflect' }),
  padded('reflected on four sides', [3, 2, 5, 7], { padding: { top: 4, bottom: 1, left: 0, right: 6 }, mode: 'reflect' }),
  padded('one row, reflected in columns', [2, 1, 1, 300], { padding: [0, 3], mode: 'reflect' }),
  padded('one column, reflected in rows', [1, 2, 300, 1], { padding: [5, 0], mode: 'reflect' }),
  padded('two rows', [3, 5, 2, 33], { padding: { top: 1, bottom: 1, left: 31, right: 32 }, mode: 'reflect' }),
] as const;

export const MAXOUT_PROBLEMS: readonly { shape: Shape; pieces: number }[] = [
  { shape: [1, 1], pieces: 1 },
  { shape: [3, 5], pieces: 5 },
  { shape: [65, 6], pieces: 2 },
  { shape: [2, 12, 7, 5], pieces: 3 },
  { shape: [2, 4, 1, 1], pieces: 4 },
  { shape: [1, 10, 33, 3], pieces: 2 },
];

const linear = (N: number, inFeatures: number, outFeatures: number): Named<LinearProblem> => ({
  name: `${N} x ${inFeatures} to ${outFeatures}`,
  problem: { N, inFeatures, outFeatures },
});

export const LINEAR_PROBLEMS: readonly Named<LinearProblem>[] = [
  linear(1, 1, 1),
  linear(1, 300, 1),
  linear(1, 1, 300),
  linear(300, 1, 1),
  linear(3, 5, 7),
  linear(17, 400, 120),
  linear(32, 64, 64),
  linear(31, 63, 65),
  linear(33, 65, 63),
  linear(129, 33, 10),
  linear(2, 1025, 3),
  linear(1025, 3, 2),
];
