/** The problems of a winner map: C = K channels on the one axis, square images on the other. */
import type { ConvSizes } from '../../../../worker/api.ts';

export const CHANNELS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512] as const;
export const IMAGES = [4, 8, 16, 32, 64, 128] as const;
export const FILTERS = ['1', '3', '5', '7'] as const;

/** Operations of a cell, at most: one that takes seconds can cost the page its GPU. */
export const MOST_FLOPS = 200e9;
/** The same where the processor computes. */
export const MOST_FLOPS_ON_SOFTWARE = 50e6;

export interface Cell {
  channels: number;
  image: number;
  sizes: ConvSizes;
  flops: number;
}

/** Padded so that the output is as large as the image. @param filter odd */
export function cellOf(channels: number, image: number, N: number, filter: number): Cell {
  const padding = (filter - 1) / 2;
  const sizes: ConvSizes = {
    N,
    C: channels,
    H: image,
    W: image,
    K: channels,
    R: filter,
    S: filter,
    stride: [1, 1],
    padding: [padding, padding],
    dilation: [1, 1],
    groups: 1,
  };
  return { channels, image, sizes, flops: 2 * N * channels ** 2 * (image * filter) ** 2 };
}

/** Those that are not too much work, from the least to the most: so the map fills quickly at first. */
export function mapCells(
  channels: readonly number[],
  images: readonly number[],
  N: number,
  filter: number,
  mostFlops: number,
): Cell[] {
  return images
    .flatMap((image) => channels.map((one) => cellOf(one, image, N, filter)))
    .filter(({ flops }) => flops <= mostFlops)
    .sort((a, b) => a.flops - b.flops);
}
