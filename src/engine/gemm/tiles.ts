/**
 * Which tile a matrix product is cut into. A guess from the sizes alone: large tiles reuse what they load, small ones
 * keep a GPU busy when there is little to do.
 */
import type { Device } from '../../gpu/device.ts';
import type { Workgroups } from '../plan.ts';

/** The constants of shaders/gemm/tile.wgsl. */
export interface Tile {
  /** Rows a thread. */
  TM: number;
  /** Columns a thread, in fours. */
  TN: number;
  /** Threads along N and along M. */
  WX: number;
  WY: number;
  /** Depth of a step. */
  BK: number;
  STAGED: boolean;
}

export interface ProductSize {
  M: number;
  N: number;
  K: number;
  /** Products in one dispatch. */
  count?: number;
}

/** Tiles for GPUs, with the share of a large product's speed that they reach where there is work enough. */
export const TILES: readonly (Tile & { share: number })[] = [
  { TM: 4, TN: 2, WX: 16, WY: 16, BK: 16, STAGED: true, share: 1 },
  { TM: 4, TN: 1, WX: 16, WY: 16, BK: 16, STAGED: true, share: 0.8 },
  { TM: 4, TN: 1, WX: 16, WY: 4, BK: 16, STAGED: true, share: 0.6 },
  { TM: 4, TN: 1, WX: 8, WY: 8, BK: 16, STAGED: true, share: 0.6 },
  { TM: 4, TN: 1, WX: 16, WY: 2, BK: 16, STAGED: true, share: 0.5 },
  { TM: 4, TN: 1, WX: 8, WY: 4, BK: 16, STAGED: true, share: 0.45 },
];

/** Threads in flight that a large GPU wants before more work takes more time. */
const BUSY_THREADS = 65536;

export const rows = (tile: Tile): number => tile.TM * tile.WY;
export const columns = (tile: Tile): number => tile.TN * 4 * tile.WX;

const tilesOf = (tile: Tile, { M, N, count = 1 }: ProductSize): number =>
  Math.ceil(M / rows(tile)) * Math.ceil(N / columns(tile)) * count;

export function chooseTile(device: Device, size: ProductSize): Tile {
  if (device.adapter.software) {
    // No caches to share and no latency to hide: each thread a tile of its own, all rows at once if they are few.
    const TM = size.M >= 8 || size.M === 7 ? 8 : Math.max(4, size.M);
    return { TM, TN: size.N >= 8 ? 2 : 1, WX: 8, WY: 1, BK: 16, STAGED: false };
  }
  const limit = device.limit('maxComputeInvocationsPerWorkgroup');
  const cost = (tile: Tile & { share: number }): number => {
    const tiles = tilesOf(tile, size);
    const busy = Math.min(1, (tiles * tile.WX * tile.WY) / BUSY_THREADS);
    return (tiles * rows(tile) * columns(tile)) / (tile.share * busy);
  };
  const { share: _, ...tile } = TILES.filter((t) => t.WX * t.WY <= limit).reduce((a, b) =>
    cost(b) < cost(a) ? b : a,
  );
  return tile;
}

/**
 * Into how many slices a sum over K is cut, so that the GPU is busy and no running sum gets long (long ones lose
 * accuracy).
 */
export function chooseSlices(device: Device, tile: Tile, size: ProductSize): number {
  const tiles = tilesOf(tile, size);
  const wanted = device.adapter.software ? 4 : BUSY_THREADS / (tiles * tile.WX * tile.WY);
  const accurate = size.K / 4096;
  const useful = size.K / 64;
  return Math.max(1, Math.min(256, Math.round(Math.min(useful, Math.max(wanted, accurate)))));
}

export function tileGrid(tile: Tile, size: ProductSize): Workgroups {
  const tiles = tilesOf(tile, { ...size, count: 1 });
  const x = Math.min(tiles, 65535);
  return [x, Math.ceil(tiles / x), size.count ?? 1];
}
