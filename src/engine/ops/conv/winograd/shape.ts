/** What Winograd's method makes of a problem: a correlation of an image with filters, cut into tiles. */
import { toFour } from '../../../gemm/products.ts';
import type { Constants } from '../../../../gpu/link.ts';
import type { Workgroups } from '../../../plan.ts';
import type { Pair, ConvProblem } from '../problem.ts';
import { tileSize, type Variant } from './cook_toom.ts';

/** An image [N, channels, rows, columns]. */
export interface ImageSize {
  readonly channels: number;
  readonly rows: number;
  readonly columns: number;
}

/** Every direction, with the image that is cut into overlapping patches, and what tiles are counted on. */
export interface Correlation {
  readonly image: ImageSize;
  /** y, or dx; in wgrad dy, which is the filter there. */
  readonly tiled: ImageSize;
  /** Tiles of an image, vertically and horizontally. */
  readonly tiles: Pair;
  /** Where the first patch begins in the image. */
  readonly start: Pair;
}

/** fprop's, and wgrad's. */
export function forwardCorrelation(variant: Variant, problem: ConvProblem): Correlation {
  const { C, H, W, K, P, Q, padding } = problem;
  return {
    image: { channels: C, rows: H, columns: W },
    tiled: { channels: K, rows: P, columns: Q },
    tiles: [Math.ceil(P / variant.M), Math.ceil(Q / variant.M)],
    start: [0 - padding[0], 0 - padding[1]],
  };
}

/** dgrad's: dy is the image, and what the padding does not cover of it on the left and at the top is left out. */
export function backwardCorrelation(variant: Variant, problem: ConvProblem): Correlation {
  const { C, H, W, K, P, Q, padding } = problem;
  return {
    image: { channels: K, rows: P, columns: Q },
    tiled: { channels: C, rows: H, columns: W },
    tiles: [Math.ceil(H / variant.M), Math.ceil(W / variant.M)],
    start: [padding[0] - (variant.R - 1), padding[1] - (variant.R - 1)],
  };
}

/** Positions at which products are taken. */
export const positions = (variant: Variant): number => tileSize(variant) ** 2;

export const tilesAn = ({ tiles }: Correlation): number => tiles[0] * tiles[1];

/** Numbers of `channels` of the tiles of `images` images, at all positions. */
export const positionNumbers = (
  variant: Variant,
  correlation: Correlation,
  channels: number,
  images: number,
): number => positions(variant) * channels * toFour(images * tilesAn(correlation));

/** Numbers of the filters, or of their gradient, at all positions. */
export const filterNumbers = (variant: Variant, { C, K, groups }: ConvProblem): number =>
  positions(variant) * K * toFour(C / groups);

const THREADS = 64;

/** How threads are laid over `across` items side by side in memory, and `down` rows of them. */
export function threadsOver(across: number, down: number): { constants: Constants; workgroups: Workgroups } {
  let width = THREADS;
  while (width / 2 >= across) width /= 2;
  const height = THREADS / width;
  return {
    constants: { WIDTH: width, HEIGHT: height },
    workgroups: [Math.ceil(across / width), Math.ceil(down / height), 1],
  };
}
