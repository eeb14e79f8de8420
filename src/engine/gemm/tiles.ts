/**
 * Which tile a matrix product is cut into. A guess from the sizes alone: large tiles reuse what they load, small ones
 * keep a GPU busy when there is little to do.
 */
import type { Device } from '../../gpu/device.ts';
import type { Constants } from '../../gpu/link.ts';
import type { Workgroups } from '../plan.ts';

/** The constants of shaders/gemm/tile.wgsl. */
export interface Tile {
  /** Rows a thread. */
  TM: number;
  /** Columns a thread, in fours. */
  TN: number;
  /** Threads along N, M and K. */
  WX: number;
  WY: number;
  WK: number;
  /** Depth of a step. */
  BK: number;
  STAGED: boolean;
  SPLIT: boolean;
}

export interface ProductSize {
  M: number;
  N: number;
  K: number;
  /** Products in one dispatch. */
  count?: number;
  /** True if neighbours along K are neighbours in memory, in both matrices. */
  alongK?: boolean;
  /** True if the sum over K may be cut into slices: then a long K is work for many. */
  sliced?: boolean;
}

const staged = (TM: number, TN: number, WX: number, WY: number, BK: number): Tile => ({
  ...{ TM, TN, WX, WY, WK: 1, BK, STAGED: true, SPLIT: false },
});

const unstaged = (TM: number, TN: number, WX: number, WK: number): Tile => ({
  ...{ TM, TN, WX, WY: 1, WK, BK: 16, STAGED: false, SPLIT: WK > 1 },
});

interface LargeTile {
  tile: Tile;
  /** Its speed where there is work enough, as a share of the fastest tile's. */
  share: number;
  /** Threads that give a large GPU work enough: the fewer, the more numbers each has in flight. */
  full: number;
}

/** Tiles for large products, as they did on an NVIDIA H200 (ARCHITECTURE.md, what was measured). */
export const TILES: readonly LargeTile[] = [
  { tile: staged(8, 2, 16, 8, 16), share: 1, full: 24576 },
  { tile: staged(8, 2, 8, 8, 16), share: 0.96, full: 24576 },
  { tile: staged(8, 1, 16, 8, 16), share: 0.92, full: 32768 },
  { tile: staged(8, 2, 16, 4, 16), share: 0.92, full: 24576 },
  { tile: staged(4, 1, 16, 8, 16), share: 0.75, full: 65536 },
  { tile: staged(4, 1, 8, 8, 16), share: 0.6, full: 65536 },
];

/** Threads that keep a large GPU busy with unstaged tiles. */
const BUSY_THREADS = 65536;
/** Numbers of C, slices counted, below which staging leaves most of a large GPU waiting at barriers. */
const SMALL_PRODUCT = 131072;

/** Workgroups that keep the cores behind a software adapter busy to the end. */
const BUSY_CORES = 64;

export const rows = (tile: Tile): number => tile.TM * tile.WY;
export const columns = (tile: Tile): number => tile.TN * 4 * tile.WX;
const threads = ({ WX, WY, WK }: Tile): number => WX * WY * WK;

const tilesOf = (tile: Tile, { M, N, count = 1 }: ProductSize): number =>
  Math.ceil(M / rows(tile)) * Math.ceil(N / columns(tile)) * count;

export function chooseTile(device: Device, size: ProductSize): Tile {
  if (device.adapter.software) {
    // No caches to share and no latency to hide: each thread a tile of its own, all rows at once if they are few.
    // Threads beyond the last column cost as much as others.
    const TN = size.N >= 8 ? 2 : 1;
    const across = (WX: number) => Math.ceil(size.N / (4 * TN * WX)) * WX;
    return unstaged(thinRows(size.M), TN, across(4) < across(8) ? 4 : 8, 1);
  }
  const limit = device.limit('maxComputeInvocationsPerWorkgroup');
  const slices = size.sliced ? Math.max(1, size.K / 128) : 1;
  const cost = ({ tile, share, full }: LargeTile): number => {
    const tiles = tilesOf(tile, size);
    const busy = Math.min(1, (tiles * slices * threads(tile)) / full);
    return (tiles * rows(tile) * columns(tile)) / (share * busy);
  };
  // A thin product reuses little of what it would stage.
  const thin = size.M <= 16;
  const small = size.M * size.N * (size.count ?? 1) * slices < SMALL_PRODUCT;
  if (thin || small) return smallTile(size);
  return TILES.filter(({ tile }) => threads(tile) <= limit).reduce((a, b) => (cost(b) < cost(a) ? b : a))
    .tile;
}

/** Threads load for themselves, and share sums as far as that keeps more of them busy. */
function smallTile(size: ProductSize): Tile {
  if (size.alongK && size.K >= 32) return unstaged(4, 1, 1, 32);
  const TM = size.M <= 16 ? thinRows(size.M) : 4;
  const across = Math.ceil(size.M / TM) * Math.ceil(size.N / 4) * (size.count ?? 1);
  const WX = size.N <= 32 ? 8 : 16;
  let WK = 1;
  while (WK < 16 && across * WK < BUSY_THREADS && size.K / WK >= 16) WK *= 2;
  return unstaged(TM, 1, WX, WK);
}

/** All rows in one thread if there are few. */
const thinRows = (M: number): number => (M > 8 || M === 7 ? 8 : Math.max(4, M));

/**
 * Into how many slices a sum over K is cut, so that the GPU is busy.
 */
export function chooseSlices(device: Device, tile: Tile, size: ProductSize): number {
  const tiles = tilesOf(tile, size);
  const wanted = (device.adapter.software ? BUSY_CORES : BUSY_THREADS / threads(tile)) / tiles;
  // A second pass has to pay.
  const useful = size.K / (tile.WK * 16);
  const slices = Math.min(256, Math.round(Math.min(useful, wanted)));
  if (slices < 4) return 1;
  // Slices of whole steps need no masks: take their nearest number, if it is near.
  for (let off = 0; off < slices / 3; off++) {
    for (const near of [slices + off, slices - off]) if (size.K % (tile.BK * near) === 0) return near;
  }
  return slices;
}

/**
 * The tiles that are worth a try for a product, at most eight, the one that `chooseTile` guesses first. Compiling is
 * what trying costs; software adapters compile slowly and differ little between tiles.
 */
export function chooseTiles(device: Device, size: ProductSize): Tile[] {
  const guess = chooseTile(device, size);
  if (device.adapter.software) return [guess];
  const limit = device.limit('maxComputeInvocationsPerWorkgroup');
  const large = TILES.map(({ tile }) => tile).filter((tile) => threads(tile) <= limit);
  const tiles = [guess, ...large, smallTile(size), unstaged(thinRows(size.M), 1, 16, 1)];
  const names = tiles.map(tileName);
  return tiles.filter((_, i) => names.indexOf(names[i]) === i);
}

/** "128x64x16 8x4": rows, columns and depth of a tile, then rows and columns a thread. */
export const tileName = ({ TM, TN, WX, WY, WK, BK, STAGED }: Tile): string =>
  STAGED
    ? `${TM * WY}x${TN * 4 * WX}x${BK} ${TM}x${TN * 4}`
    : `${TM * WY}x${TN * 4 * WX} ${TM}x${TN * 4} unstaged, ${WK} a sum`;

/** Terms that a thread may add one after the other before float32 loses too much. */
const LONG_SUM = 1024;

/** The constants of shaders/gemm/tile.wgsl for a product whose sums are cut into `slices`. */
export function productConstants(tile: Tile, { M, N, K }: ProductSize, slices = 1): Constants {
  // Where tiles, and the steps of all slices, end where the product does, nothing needs masking.
  const whole = M % rows(tile) === 0 && N % columns(tile) === 0 && K % (tile.BK * slices) === 0;
  return { ...tile, MASKED: !whole, LONG: K / slices / tile.WK > LONG_SUM };
}

export function tileGrid(tile: Tile, size: ProductSize): Workgroups {
  const tiles = tilesOf(tile, { ...size, count: 1 });
  const x = Math.min(tiles, 65535);
  return [x, Math.ceil(tiles / x), size.count ?? 1];
}
