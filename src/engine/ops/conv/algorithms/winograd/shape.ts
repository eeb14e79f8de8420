/** A problem as Winograd's method sees it: a correlation of images with filters, cut into tiles. */
import type { Pair } from '../../../../../base/shape.ts';
import { lazily } from '../../../../../base/lazily.ts';
import type { Constants } from '../../../../../gpu/link.ts';
import { generateShader } from '../../../../../gpu/sources.ts';
import { toFour } from '../../../../gemm/products.ts';
import { grid, type Workgroups } from '../../../../plan.ts';
import type { Layout } from '../../layout.ts';
import type { ConvProblem } from '../../problem.ts';
import { tileSize, VARIANTS, type Variant } from './cook_toom.ts';

/** Images [N, channels, rows, columns]. */
export interface ImageSize {
  readonly channels: number;
  readonly rows: number;
  readonly columns: number;
}

export interface WinogradCorrelation {
  /** True for dgrad: its images are dy, and its filters are rotated by 180 degrees. */
  readonly backward: boolean;
  /** The tensor that is cut into overlapping patches: x, or dy. */
  readonly image: ImageSize;
  /** The tensor that is cut into tiles: y, or dx. With a stride, each phase of dx is a channel: see `phases`. */
  readonly result: ImageSize;
  /**
   * The stride of dgrad. Pixels of dx whose rows and columns leave the same remainders are a phase: they meet the same
   * weights of a filter, so each phase is a correlation of stride 1 with a part of the filter.
   */
  readonly phases: Pair;
  /** Tiles of an image, vertically and horizontally. */
  readonly tiles: Pair;
  /** Where the first patch starts in the image; negative with padding. */
  readonly start: Pair;
  readonly layout: Layout;
  readonly groups: number;
}

/** For fprop. In wgrad, dy takes the place of y. */
export function forwardCorrelation(variant: Variant, problem: ConvProblem): WinogradCorrelation {
  const { C, H, W, K, P, Q, padding, layout, groups } = problem;
  return {
    backward: false,
    image: { channels: C, rows: H, columns: W },
    result: { channels: K, rows: P, columns: Q },
    phases: [1, 1],
    tiles: [Math.ceil(P / variant.M), Math.ceil(Q / variant.M)],
    start: [0 - padding.top, 0 - padding.left],
    layout,
    groups,
  };
}

/** For dgrad. Padding wider than the filter skips the first rows and columns of dy, which only multiply zeros. */
export function backwardCorrelation(variant: Variant, problem: ConvProblem): WinogradCorrelation {
  const { C, H, W, K, P, Q, stride, padding, layout, groups } = problem;
  // Rows of a phase, and the first of dy that its first row meets by the filter's first row.
  const along = (size: number, step: number, before: number) => {
    const first = Math.floor(before / step);
    return { first, count: Math.floor((size - 1 + before) / step) - first + 1 };
  };
  const rows = along(H, stride[0], padding.top);
  const columns = along(W, stride[1], padding.left);
  return {
    backward: true,
    image: { channels: K, rows: P, columns: Q },
    result: { channels: C * stride[0] * stride[1], rows: H, columns: W },
    phases: stride,
    tiles: [Math.ceil(rows.count / variant.M), Math.ceil(columns.count / variant.M)],
    start: [rows.first - (variant.R - 1), columns.first - (variant.R - 1)],
    layout,
    groups,
  };
}

/** Positions at which products are taken. */
export const positions = (variant: Variant): number => tileSize(variant) ** 2;

export const tilesAn = ({ tiles }: WinogradCorrelation): number => tiles[0] * tiles[1];

/** Values of `channels` of the tiles of `images` images, at all positions: see shaders/conv/winograd/tiles.wgsl. */
export function imageNumbers(
  variant: Variant,
  correlation: WinogradCorrelation,
  channels: number,
  images: number,
): number {
  const { layout, groups } = correlation;
  const tiles = images * tilesAn(correlation);
  const each = layout === 'nhwc' ? groups * tiles * toFour(channels / groups) : channels * toFour(tiles);
  return positions(variant) * each;
}

/** Values of the filters at all positions: [positions, inner channels of all groups, outer ones of a group to four]. */
export const filterNumbers = (
  variant: Variant,
  { image, result }: WinogradCorrelation,
  { groups }: ConvProblem,
): number => positions(variant) * image.channels * toFour(result.channels / groups);

/** Values of the filters' gradient at all positions: [positions, K, channels of a group to four]. */
export const gradientNumbers = (variant: Variant, { C, K, groups }: ConvProblem): number =>
  positions(variant) * K * toFour(C / groups);

/** WebGPU's limit on workgroups along one dimension of a dispatch. */
export const GRID_LIMIT = 65535;
/** Threads per workgroup of the transforms. */
const THREADS = 64;
/** Tiles side by side in one dispatch. */
export const MAX_TILES = GRID_LIMIT * THREADS;

/** How threads are arranged over `across` items side by side in memory, and `down` rows of them. */
export function threadsOver(across: number, down: number): { constants: Constants; workgroups: Workgroups } {
  let width = THREADS;
  while (width / 2 >= across) width /= 2;
  const height = THREADS / width;
  return {
    constants: { WIDTH: width, HEIGHT: height },
    workgroups: [Math.ceil(across / width), Math.ceil(down / height), 1],
  };
}

/** How threads are arranged over all channels of `tiles` tiles. */
export const threadsOverTiles = (
  layout: Layout,
  tiles: number,
  channels: number,
): ReturnType<typeof threadsOver> =>
  layout === 'nhwc'
    ? { constants: { WIDTH: THREADS, HEIGHT: 1 }, workgroups: grid(tiles * channels, THREADS) }
    : threadsOver(tiles, channels);

const partOf = ({ M, R }: Variant): string => `f${M}x${R}`;

const writing = lazily(() => import('./transforms.ts'));

for (const variant of VARIANTS) {
  generateShader(`conv/winograd/${partOf(variant)}`, async () => (await writing()).transformsFile(variant));
}

/** The kernel of shaders/conv/winograd/`file`.wgsl with the variant's transforms. */
export const winogradShader = (file: string, variant: Variant): string =>
  `conv/winograd/${file}:${partOf(variant)}`;
