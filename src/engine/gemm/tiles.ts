/**
 * Which tile size a matrix multiplication uses, predicted from the sizes: large tiles reuse what they load, small ones
 * keep a GPU busy when there is little to do.
 */
import type { Device } from '../../gpu/device.ts';
import type { Constants } from '../../gpu/link.ts';
import type { Workgroups } from '../plan.ts';
import type { NumberType } from '../dispatch.ts';
import { LOADED_WAIT, STAGED_WAIT, TILE_LOAD_COST, workTime, type Reads, type Work } from '../cost.ts';
import { sumThreads } from '../shared-sum.ts';

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
interface Subgroups {
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

const unstaged = (TM: number, TN: number, WX: number, WK: number): Tile => ({
  TM,
  TN,
  WX,
  WY: 1,
  WK,
  BK: 16,
  STAGED: false,
  SPLIT: WK > 1,
});

interface LargeTile {
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
 * Tiles for tensor cores, where values are stored in 16 bits. Shares are measured with products of 4096 (the first two)
 * and 1024 on an NVIDIA H200.
 */
export const MATRIX_TILES: readonly LargeTile[] = [
  { tile: onMatrices([8, 4, 16, 16, 32], [64, 64]), share: 6.7 },
  { tile: onMatrices([8, 2, 16, 16, 64], [64, 32]), share: 4.5 },
  { tile: onMatrices([4, 2, 16, 16, 64], [32, 32]), share: 3 },
  { tile: onMatrices([4, 2, 8, 32, 64], [32, 32]), share: 3 },
  { tile: onMatrices([4, 2, 8, 16, 64], [32, 32]), share: 3 },
  { tile: onMatrices([4, 2, 16, 8, 32], [32, 32]), share: 2 },
  { tile: onMatrices([2, 2, 16, 8, 32], [16, 32]), share: 1.5 },
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

/** On the processor, products with fewer rows or columns, or with shorter sums, reuse too little of what they would stage. */
const [CPU_STAGED, CPU_STAGED_SUM] = [96, 32];

/** Threads that keep a large GPU busy with unstaged tiles. */
const BUSY_THREADS = 65536;
/** Below this many values of C, counted in every slice, staging leaves most of a large GPU waiting at barriers. */
const SMALL_PRODUCT = 131072;

/** Workgroups that keep the cores behind a software adapter busy to the end. */
const BUSY_CORES = 64;

export const rows = (tile: Tile): number => tile.TM * tile.WY;
export const columns = (tile: Tile): number => tile.TN * 4 * tile.WX;
const threads = ({ WX, WY, WK }: Tile): number => WX * WY * WK;

const tilesOf = (tile: Tile, { M, N, count = 1 }: ProductSize): number =>
  Math.ceil(M / rows(tile)) * Math.ceil(N / columns(tile)) * count;

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
  const room = (lines: number) => Math.max(lines * (tile.BK / 4 + 2), tile.BK * (lines / 4 + 2));
  const bytes = tile.matrices?.emulated ? 16 : 8;
  return bytes * (Math.max(room(rows(tile)), 4 * threads(tile)) + room(columns(tile)));
}

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

/** The cost of a tile's start and end, in steps of k. */
const EDGES = 8;
/** How much slower sums of more than LONG_SUM terms are: they take twice the registers. */
const LONG = 1.2;

/**
 * What a workgroup does for its tile.
 * @param terms of its sums
 * @param gather the cost of a value of B if they are gathered from an image, else 0: GATHER_COST or TABLE_COST
 */
export function tileWork(tile: Tile, terms: number, gather: number): Work {
  const { TM, TN, WK, BK, STAGED } = tile;
  const sums = TM * TN * 4;
  if (!STAGED) {
    const steps = terms / WK + EDGES;
    // Threads that share a long sum read along it, from distant places.
    const loads = TILE_LOAD_COST * (TM + TN * 4) * (WK > 32 ? 2 : 1);
    return {
      threads: threads(tile),
      sums,
      cost: steps * (sums + loads),
      wait: steps * LOADED_WAIT,
      products: (terms / WK) * sums,
      reads: readsOf((terms / WK) * TM, (terms / WK) * TN * 4, gather > 0),
    };
  }
  const steps = (Math.ceil(terms / BK) * BK + EDGES) * (terms > LONG_SUM && !tile.matrices ? LONG : 1);
  const copied = (rows(tile) + columns(tile)) / threads(tile);
  const loads = gather * copied;
  return {
    threads: threads(tile),
    sums,
    cost: steps * (sums / shareOf(tile) + loads),
    wait: steps * STAGED_WAIT,
    products: terms * sums,
    reads: { ...readsOf(0, terms * copied, gather > 0), staged: terms * (TM + TN) },
  };
}

/** The values that a thread reads of A and B, whose values may be gathered. */
const readsOf = (a: number, b: number, gathered: boolean): Reads =>
  gathered ? { loaded: a, gathered: b } : { loaded: a + b };

/** By name. */
const LARGE_TILES: ReadonlyMap<string, LargeTile> = new Map(
  [...TILES, ...MATRIX_TILES].map((one) => [tileName(one.tile), one]),
);

const shareOf = (tile: Tile): number => LARGE_TILES.get(tileName(tile))?.share ?? 1;

/** Microseconds, with the second pass. */
function estimate({ tile }: LargeTile, size: ProductSize, slices: number): number {
  const product = workTime(tileWork(tile, size.K / slices, 0), tilesOf(tile, size) * slices);
  if (slices === 1) return product;
  return product + PASS + (4 * (slices + 1) * size.M * size.N * (size.count ?? 1)) / PASS_BYTES;
}

/** The second pass: fixed microseconds, and bytes per microsecond. */
const [PASS, PASS_BYTES] = [3, 2.6e6];

const MAX_SLICES = 256;

/** The best numbers of slices, by tile and size: choices of tiles ask for the same ones over and over. */
const knownSlices = new Map<string, number>();

function bestSlices(one: LargeTile, size: ProductSize): number {
  const { M, N, K, count = 1 } = size;
  const key = [tileName(one.tile), M, N, K, count].join(' ');
  const known = knownSlices.get(key);
  if (known !== undefined) return known;
  let best = { slices: 1, time: Infinity };
  for (let slices = 1; slices <= Math.min(MAX_SLICES, Math.ceil(K / one.tile.BK)); slices++) {
    const time = estimate(one, size, slices);
    if (time < best.time) best = { slices, time };
  }
  knownSlices.set(key, best.slices);
  return best.slices;
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
  return tiles.filter((_, i) => names.indexOf(names[i]) === i);
}

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

/** Terms that a thread may add one after the other before float32 loses too much precision. */
export const LONG_SUM = 2560;

/** The constants of shaders/gemm/tile.wgsl for a product whose sums are cut into `slices`. */
export function productConstants(tile: Tile, { K }: ProductSize, slices = 1): Constants {
  // All slices but the last are of whole steps.
  const MASKED = K % tile.BK !== 0;
  const { matrices, ...constants } = tile;
  if (matrices) return { ...constants, ...matrixConstants(matrices), MASKED };
  return { ...constants, MASKED, PARTIAL_SUMS: K / slices / tile.WK > (tile.SPAN ?? LONG_SUM) };
}

/** Rows and columns of the fragments that tensor cores multiply. */
const FRAGMENT = 16;

/** See shaders/gemm/matrices.wgsl. Tensor cores add up in 32 bits. */
function matrixConstants({ SUB_M, SUB_N, emulated = false }: Subgroups): Constants {
  const type = (role: string, number: NumberType) =>
    `subgroup_matrix_${role}<${number}, ${FRAGMENT}, ${FRAGMENT}>`;
  const common = {
    MATRICES: true,
    SUB_M,
    SUB_N,
    FRAGMENTS: (SUB_M * SUB_N) / FRAGMENT ** 2,
    EMULATED: emulated,
  };
  if (emulated) return { ...common, Sum: 'EmulatedSum' };
  return {
    ...common,
    HALVES: true,
    Staged: 'vec2u',
    Left: type('left', 'f16'),
    Right: type('right', 'f16'),
    Sum: type('result', 'f32'),
  };
}

export function tileGrid(tile: Tile, size: ProductSize): Workgroups {
  const tiles = tilesOf(tile, { ...size, count: 1 });
  const x = Math.min(tiles, 65535);
  return [x, Math.ceil(tiles / x), size.count ?? 1];
}
