/** The tiles of matrix multiplications: large ones reuse what they load, small ones keep a GPU busy when there is little to do. */
import type { Workgroups } from '../plan.ts';

/** The constants of shaders/gemm/tile.wgsl. */
export interface Tile {
  /** Rows per thread. */
  TM: number;
  /** Columns per thread, in vectors of four. */
  TN: number;
  /** Threads along N, M and K. */
  WX: number;
  WY: number;
  WK: number;
  /** Depth of a step. */
  BK: number;
  STAGED: boolean;
  SPLIT: boolean;
  /** Terms that are added up by themselves. Default: LONG_SUM decides. */
  SPAN?: number;
  /** If tensor cores compute it. */
  matrices?: Subgroups;
}

/** The rows and columns that a subgroup computes on tensor cores. */
export interface Subgroups {
  SUB_M: number;
  SUB_N: number;
  /** In tests: by plain arithmetic. */
  emulated?: boolean;
}

export interface ProductSize {
  M: number;
  N: number;
  K: number;
  /** Products in one dispatch. */
  count?: number;
  /** True if neighbours along K are neighbours in memory, in both matrices. */
  alongK?: boolean;
  /** True if the sum over K may be cut into slices (split-K), so that a long K runs in parallel. */
  sliced?: boolean;
  /** True if tensor cores can take values by eights: see shaders/gemm/tile.wgsl. */
  wide?: boolean;
  /** The cost of a value of B if they are gathered from an image: GATHER_COST or TABLE_COST. Default: none. */
  gather?: number;
}

const staged = (TM: number, TN: number, WX: number, WY: number, BK: number): Tile => ({
  TM,
  TN,
  WX,
  WY,
  WK: 1,
  BK,
  STAGED: true,
  SPLIT: false,
});

export const unstaged = (TM: number, TN: number, WX: number, WK: number): Tile => ({
  TM,
  TN,
  WX,
  WY: 1,
  WK,
  BK: 16,
  STAGED: false,
  SPLIT: WK > 1,
});

export interface LargeTile {
  tile: Tile;
  /** Its speed on large problems, relative to the fastest tile's. */
  share: number;
}

/**
 * Tiles for large problems. Shares are fitted to 127 problems from the layers of five networks,
 * each in several tiles, on an NVIDIA H200; the last two shares, to a layer of LeNet-5.
 */
export const TILES: readonly LargeTile[] = [
  { tile: staged(8, 2, 16, 8, 16), share: 1 },
  { tile: staged(8, 1, 16, 8, 16), share: 0.97 },
  { tile: staged(8, 2, 8, 8, 16), share: 0.87 },
  { tile: staged(8, 2, 16, 4, 16), share: 0.82 },
  { tile: staged(4, 1, 16, 8, 16), share: 0.89 },
  { tile: staged(4, 1, 8, 8, 16), share: 0.86 },
  { tile: staged(4, 1, 16, 4, 16), share: 0.65 },
  { tile: staged(4, 2, 16, 4, 16), share: 0.53 },
];

const onMatrices = (
  [TM, TN, WX, WY, BK]: readonly [number, number, number, number, number],
  [SUB_M, SUB_N]: readonly [number, number],
): Tile => ({ ...staged(TM, TN, WX, WY, BK), matrices: { SUB_M, SUB_N } });

/**
 * Tiles for tensor cores, where values are stored in 16 bits. Shares, and the constants of `tileWork`, are fitted to 260
 * launches of implicit GEMM in NHWC on an NVIDIA H200.
 */
export const MATRIX_TILES: readonly LargeTile[] = [
  { tile: onMatrices([8, 4, 16, 16, 32], [64, 64]), share: 7 },
  { tile: onMatrices([8, 2, 16, 16, 64], [64, 32]), share: 7.5 },
  { tile: onMatrices([8, 4, 8, 16, 64], [64, 64]), share: 8 },
  { tile: onMatrices([8, 2, 8, 32, 64], [64, 32]), share: 6.7 },
  { tile: onMatrices([8, 2, 8, 32, 32], [64, 32]), share: 5.4 },
  { tile: onMatrices([4, 2, 16, 16, 64], [32, 32]), share: 6.2 },
  { tile: onMatrices([4, 2, 8, 32, 64], [32, 32]), share: 6.3 },
  { tile: onMatrices([4, 2, 8, 16, 64], [32, 32]), share: 6.2 },
  { tile: onMatrices([4, 2, 8, 16, 32], [32, 32]), share: 5.1 },
  { tile: onMatrices([4, 2, 4, 32, 64], [32, 32]), share: 5.4 },
  { tile: onMatrices([4, 1, 4, 32, 64], [32, 16]), share: 4.2 },
  { tile: onMatrices([4, 2, 16, 8, 32], [32, 32]), share: 4 },
  { tile: onMatrices([2, 2, 16, 8, 32], [16, 32]), share: 2.4 },
];

/**
 * Tiles for the processor itself (src/cpu): sums stay in its registers, and a step's tiles in its first caches. Without
 * fused multiply-adds every term is rounded twice, so that short sums are worth their few additions.
 */
export const CPU_TILES: readonly Tile[] = [
  staged(4, 2, 8, 8, 32),
  staged(8, 1, 8, 8, 64),
  staged(8, 1, 8, 4, 64),
  staged(4, 2, 8, 4, 32),
].map((tile) => ({ ...tile, SPAN: 256 }));

export const rows = (tile: Tile): number => tile.TM * tile.WY;
export const columns = (tile: Tile): number => tile.TN * 4 * tile.WX;
export const threads = ({ WX, WY, WK }: Tile): number => WX * WY * WK;

export const tilesOf = (tile: Tile, { M, N, count = 1 }: ProductSize): number =>
  Math.ceil(M / rows(tile)) * Math.ceil(N / columns(tile)) * count;

/**
 * "128x64x16 8x4": rows, columns and depth of a tile, then rows and columns per thread, or of a subgroup:
 * "128x256x32 64x64 tensor cores".
 */
export function tileName(tile: Tile): string {
  const { TM, TN, WK, BK, STAGED, matrices } = tile;
  const whole = `${rows(tile)}x${columns(tile)}`;
  if (matrices) return `${whole}x${BK} ${matrices.SUB_M}x${matrices.SUB_N} tensor cores`;
  return STAGED ? `${whole}x${BK} ${TM}x${TN * 4}` : `${whole} ${TM}x${TN * 4} unstaged, ${WK} a sum`;
}

export function tileGrid(tile: Tile, size: ProductSize): Workgroups {
  const tiles = tilesOf(tile, { ...size, count: 1 });
  const x = Math.min(tiles, 65535);
  return [x, Math.ceil(tiles / x), size.count ?? 1];
}
