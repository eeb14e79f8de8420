/** One output value of a convolution, with the terms of its sum. */
import { assert } from '../../../base/assert.ts';
import type { ConvProblem } from './problem.ts';

/** A value of y: filter k at row p and column q, of the first image. */
export interface OutputPosition {
  k: number;
  p: number;
  q: number;
}

export interface WorkedPixel {
  /** The channels that the filter reads, and the first of them; fewer than all with groups. */
  channels: number;
  firstChannel: number;
  /** Row and column of the input where the patch starts; negative in the padding. */
  top: number;
  left: number;
  /** [channels, R, S]: the input under the filter; 0 in the padding. */
  patch: Float32Array<ArrayBuffer>;
  /** [channels, R, S] */
  weights: Float32Array<ArrayBuffer>;
  /** In float64: the sum of the products in each channel. */
  channelSums: Float64Array<ArrayBuffer>;
  bias: number;
  /** The whole sum, in float64. */
  sum: number;
  /** The sum of the terms' absolute values: rounding errors are relative to it. */
  magnitude: number;
}

/**
 * @param x [C, H, W] of one image
 * @param w [K, C / groups, R, S]
 * @param bias [K], if there is one
 */
export function workOutPixel(
  { C, H, W, K, R, S, P, Q, stride, padding, dilation, groups }: ConvProblem,
  x: ArrayLike<number>,
  w: ArrayLike<number>,
  bias: ArrayLike<number> | undefined,
  { k, p, q }: OutputPosition,
): WorkedPixel {
  assert(k >= 0 && k < K && p >= 0 && p < P && q >= 0 && q < Q, `there is no output ${k}, ${p}, ${q}`);
  const channels = C / groups;
  const firstChannel = Math.floor(k / (K / groups)) * channels;
  const top = p * stride[0] - padding.top;
  const left = q * stride[1] - padding.left;
  const window = R * S;
  const patch = new Float32Array(channels * window);
  const weights = new Float32Array(channels * window);
  const channelSums = new Float64Array(channels);
  const offset = bias?.[k] ?? 0;
  let magnitude = Math.abs(offset);
  for (let i = 0; i < patch.length; i++) {
    const c = Math.floor(i / window);
    const h = top + Math.floor((i % window) / S) * dilation[0];
    const column = left + (i % S) * dilation[1];
    const inside = h >= 0 && h < H && column >= 0 && column < W;
    patch[i] = inside ? x[((firstChannel + c) * H + h) * W + column] : 0;
    weights[i] = w[k * channels * window + i];
    channelSums[c] += patch[i] * weights[i];
    magnitude += Math.abs(patch[i] * weights[i]);
  }
  const sum = channelSums.reduce((a, b) => a + b, offset);
  return { channels, firstChannel, top, left, patch, weights, channelSums, bias: offset, sum, magnitude };
}
