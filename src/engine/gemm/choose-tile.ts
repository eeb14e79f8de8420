/** Which tile a matrix multiplication uses on a device, and how its sums are cut: predicted from the sizes. */
import type { Device } from '../../gpu/device.ts';
import type { NumberType } from '../dispatch.ts';
import { sumThreads } from '../shared-sum.ts';
import { FRAGMENT, fragmentsAtOnce } from './tile-constants.ts';
import { bestSlices, estimate, LARGE_TILES, MAX_SLICES } from './tile-time.ts';
import {
  columns,
  CPU_TILES,
  MATRIX_TILES,
  rows,
  threads,
  tileName,
  TILES,
  tilesOf,
  unstaged,
  type LargeTile,
  type ProductSize,
  type Tile,
} from './tiles.ts';

/** On the processor, products with fewer rows or columns, or with shorter sums, reuse too little of what they would stage. */
const [CPU_STAGED, CPU_STAGED_SUM] = [96, 32];

/** Threads that keep a large GPU busy with unstaged tiles. */
const BUSY_THREADS = 65536;
/** Below this many values of C, counted in every slice, staging leaves most of a large GPU waiting at barriers. */
const SMALL_PRODUCT = 131072;

/** Workgroups that keep the cores behind a software adapter busy to the end. */
const BUSY_CORES = 64;

/** @param number how both matrices are stored; tensor cores multiply values of 16 bits */
export function chooseTile(device: Device, size: ProductSize, number: NumberType = 'f32'): Tile {
  if (device.onProcessor) {
    // No caches to share and no latency to hide: each thread computes its own tile, with all rows if they are few.
    // Threads past the last column cost as much as others.
    const { cpu } = device.adapter;
    if (cpu && Math.min(size.M, size.N) >= CPU_STAGED && size.K >= CPU_STAGED_SUM)
      return cpuTiles(device, size)[0];
    const TN = size.N >= 8 ? 2 : 1;
    const across = (WX: number) => Math.ceil(size.N / (4 * TN * WX)) * WX;
    const tile = unstaged(thinRows(size.M), TN, across(4) < across(8) ? 4 : 8, 1);
    return cpu ? { ...tile, SPAN: 64 } : tile;
  }
  // A thin product would reuse little of a staged tile.
  const thin = Math.min(size.M, size.N) <= 8;
  const slices = size.sliced ? Math.max(1, size.K / 128) : 1;
  const small = size.M * size.N * (size.count ?? 1) * slices < SMALL_PRODUCT;
  return thin || small ? smallTile(device, size) : largeTiles(device, size, number)[0];
}

/** Workgroup memory of a staged tile, at most. */
const stagedBytes = (tile: Tile): number => 4 * tile.BK * (rows(tile) + columns(tile) + 8);

/** Those that fit, and of them those that cover the least first. */
function cpuTiles(device: Device, { M, N }: ProductSize): Tile[] {
  const memory = device.limit('maxComputeWorkgroupStorageSize');
  const covered = (tile: Tile) =>
    Math.ceil(M / rows(tile)) * rows(tile) * Math.ceil(N / columns(tile)) * columns(tile);
  return CPU_TILES.filter((tile) => stagedBytes(tile) <= memory).sort((a, b) => covered(a) - covered(b));
}

/** Workgroup memory of a tile for tensor cores, whichever way its matrices lie. */
function matrixBytes(tile: Tile): number {
  const { BK, matrices } = tile;
  if (!matrices) return 0;
  const { SUB_M, SUB_N, emulated } = matrices;
  const bytes = emulated ? 16 : 8;
  const room = (lines: number) => bytes * Math.max(lines * (BK / 4 + 2), BK * (lines / 4 + 2)) + BANKS;
  const [left, right] = [rows(tile) / SUB_M, columns(tile) / SUB_N];
  const results = right * FRAGMENT ** 2 * fragmentsAtOnce(matrices) * 4;
  return left * Math.max(room(SUB_M), results) + right * room(SUB_N);
}

/** Bytes that workgroup memory takes at once. */
const BANKS = 128;

function matrixTiles({ adapter }: Device, number: NumberType): readonly LargeTile[] {
  if (adapter.matrices === 'f16') return number === 'f16' ? MATRIX_TILES : [];
  if (adapter.matrices !== 'emulated') return [];
  return MATRIX_TILES.map(({ tile, share }) => ({
    tile: { ...tile, matrices: tile.matrices && { ...tile.matrices, emulated: true } },
    share,
  }));
}

/** The staged tiles that a GPU has room for. */
export const gpuTiles = (device: Device, number: NumberType): Tile[] =>
  tilesThatFit(device, number).map(({ tile }) => tile);

function tilesThatFit(device: Device, number: NumberType): LargeTile[] {
  const limit = device.limit('maxComputeInvocationsPerWorkgroup');
  const memory = device.limit('maxComputeWorkgroupStorageSize');
  const matrices = matrixTiles(device, number).filter(({ tile }) => matrixBytes(tile) <= memory);
  return [...TILES, ...matrices].filter(({ tile }) => threads(tile) <= limit);
}

/** Staged tiles, the one predicted to be fastest first. */
function largeTiles(device: Device, size: ProductSize, number: NumberType): Tile[] {
  const guessed = tilesThatFit(device, number).map((one) => ({
    tile: one.tile,
    time: estimate(one, size, size.sliced ? bestSlices(one, size) : 1),
  }));
  return guessed.sort((a, b) => a.time - b.time).map(({ tile }) => tile);
}

/** Unstaged tiles: threads load for themselves, and share sums if that keeps more of them busy. */
function smallTile(device: Device, size: ProductSize): Tile {
  if (size.alongK && size.K >= 32) return unstaged(4, 1, 1, 32);
  const TM = size.M <= 16 ? thinRows(size.M) : 4;
  const across = Math.ceil(size.M / TM) * Math.ceil(size.N / 4) * (size.count ?? 1);
  const widest = size.N <= 32 ? 8 : 16;
  const sharedBy = (WK: number) => unstaged(TM, 1, Math.min(widest, sumThreads(device) / WK), WK);
  const room = device.limit('maxComputeWorkgroupStorageSize');
  let WK = 1;
  while (
    WK < 64 &&
    across * WK < BUSY_THREADS &&
    size.K / WK >= 16 &&
    sharedBytes(sharedBy(2 * WK)) <= room
  ) {
    WK *= 2;
  }
  return sharedBy(WK);
}

/** Workgroup memory of a tile whose sums are shared: one part per thread. */
const sharedBytes = (tile: Tile): number => 16 * tile.TM * tile.TN * threads(tile);

/** All rows in one thread if there are few. */
const thinRows = (M: number): number => (M > 8 || M === 7 ? 8 : Math.max(4, M));

/** The number of slices of a sum over K: enough to keep the GPU busy, as long as the second pass pays off. */
export function chooseSlices(device: Device, tile: Tile, size: ProductSize): number {
  const large = LARGE_TILES.get(tileName(tile));
  if (large && !device.onProcessor) return bestSlices(large, size);
  const busy = device.onProcessor ? BUSY_CORES : BUSY_THREADS / threads(tile);
  const useful = size.K / (tile.WK * 16);
  const slices = Math.min(MAX_SLICES, Math.round(Math.min(useful, busy / tilesOf(tile, size))));
  return slices < 4 ? 1 : slices;
}

/** There are more only where there are tensor cores. */
const MOST_TILES = 16;

/**
 * The tiles worth measuring for a multiplication, the prediction of `chooseTile` first. Compiling is
 * the main cost; software adapters compile slowly and differ little between tiles.
 */
export function chooseTiles(device: Device, size: ProductSize, number: NumberType): Tile[] {
  const guess = chooseTile(device, size, number);
  if (device.onProcessor) return [guess];
  const tiles = [
    guess,
    ...largeTiles(device, size, number),
    smallTile(device, size),
    unstaged(thinRows(size.M), 1, 16, 1),
  ];
  const names = tiles.map(tileName);
  return tiles.filter((_, i) => names.indexOf(names[i]) === i).slice(0, MOST_TILES);
}
