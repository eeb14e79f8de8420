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

/** Fragments whose results a subgroup writes to workgroup memory together. */
const fragmentsAtOnce = ({ SUB_N }: Subgroups): number => ((SUB_N / FRAGMENT) % 2 === 0 ? 2 : 1);

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

/** On tensor cores: a workgroup's start and end, its waits for a term, and its cost with values that are copied by fours. */
const [MATRIX_EDGES, MATRIX_WAIT, BY_FOURS] = [140, 6, 1.5];
/** Registers of a thread there, besides its sums. */
const MATRIX_REGISTERS = 200;

/**
 * What a workgroup does for its tile.
 * @param terms of its sums
 */
export function tileWork(
  tile: Tile,
  terms: number,
  { gather = 0, wide = false }: Pick<ProductSize, 'gather' | 'wide'> = {},
): Work {
  const { TM, TN, WK, BK, STAGED, matrices } = tile;
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
  const whole = Math.ceil(terms / BK) * BK;
  const steps = matrices ? whole + MATRIX_EDGES : (whole + EDGES) * (terms > LONG_SUM ? LONG : 1);
  const copied = (rows(tile) + columns(tile)) / threads(tile);
  const loads = gather * copied;
  const share = shareOf(tile) / (matrices && !wide ? BY_FOURS : 1);
  return {
    threads: threads(tile),
    sums,
    cost: steps * (sums / share + loads),
    wait: steps * (matrices ? MATRIX_WAIT : STAGED_WAIT),
    ...(matrices ? { registers: sums + MATRIX_REGISTERS } : {}),
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
  const product = workTime(tileWork(tile, size.K / slices, size), tilesOf(tile, size) * slices);
  if (slices === 1) return product;
  return product + PASS + (4 * (slices + 1) * size.M * size.N * (size.count ?? 1)) / PASS_BYTES;
}

/** The second pass: fixed microseconds, and bytes per microsecond. */
const [PASS, PASS_BYTES] = [3, 2.6e6];

const MAX_SLICES = 256;

/** The best numbers of slices, by tile and size: choices of tiles ask for the same ones over and over. */
const knownSlices = new Map<string, number>();

function bestSlices(one: LargeTile, size: ProductSize): number {
  const { M, N, K, count = 1, gather = 0, wide = false } = size;
  const key = [tileName(one.tile), M, N, K, count, gather, wide].join(' ');
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

/**
 * The constants of shaders/gemm/tile.wgsl for a product whose sums are cut into `slices`.
 * @param wide whether values of 16 bits are copied by eights: only if they come in eights, and `canBeWide`
 */
export function productConstants(tile: Tile, { K }: ProductSize, slices = 1, wide = false): Constants {
  // All slices but the last are of whole steps.
  const MASKED = K % tile.BK !== 0;
  const { matrices, ...constants } = tile;
  const loads = (lines: number) => Math.ceil((lines * tile.BK) / (wide ? 8 : 4) / threads(tile));
  const common = { ...constants, A_LOADS: loads(rows(tile)), B_LOADS: loads(columns(tile)), MASKED };
  if (matrices) return { ...common, ...matrixConstants(matrices, wide) };
  return { ...common, PARTIAL_SUMS: K / slices / tile.WK > (tile.SPAN ?? LONG_SUM) };
}

/** Rows and columns of the fragments that tensor cores multiply. */
const FRAGMENT = 16;

/** Whether tensor cores compute the tile, and its vectors of eight values can be shared out among its threads. */
export const canBeWide = (tile: Tile): boolean =>
  tile.matrices !== undefined &&
  [tile.BK, rows(tile), columns(tile)].every((length) => threads(tile) % (length / 8) === 0);

/** See shaders/gemm/matrices.wgsl. Tensor cores add up in 32 bits. */
function matrixConstants(matrices: Subgroups, wide: boolean): Constants {
  const { SUB_M, SUB_N, emulated = false } = matrices;
  const type = (role: string, number: NumberType) =>
    `subgroup_matrix_${role}<${number}, ${FRAGMENT}, ${FRAGMENT}>`;
  const common = {
    MATRICES: true,
    SUB_M,
    SUB_N,
    FRAGMENTS: (SUB_M * SUB_N) / FRAGMENT ** 2,
    AT_ONCE: fragmentsAtOnce(matrices),
    EMULATED: emulated,
    ...(wide ? { WIDE: true, VECTOR: 8, Loaded: 'vec4u', Staged: 'vec4u' } : {}),
  };
  if (emulated) return { ...common, Sum: 'EmulatedSum' };
  return {
    Staged: 'vec2u',
    ...common,
    HALVES: true,
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
