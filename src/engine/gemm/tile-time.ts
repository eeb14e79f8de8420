/** How long a matrix multiplication takes in a tile, as predicted, and into how many slices its sums are best cut. */
import { LOADED_WAIT, STAGED_WAIT, TILE_LOAD_COST, workTime, type Reads, type Work } from '../cost.ts';
import { LONG_SUM } from './tile-constants.ts';
import {
  columns,
  MATRIX_TILES,
  rows,
  threads,
  tileName,
  TILES,
  tilesOf,
  type LargeTile,
  type ProductSize,
  type Tile,
} from './tiles.ts';

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
    const loads = TILE_LOAD_COST * (TM + TN * 4) * (WK > 32 ? 1.25 : 1);
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
export const LARGE_TILES: ReadonlyMap<string, LargeTile> = new Map(
  [...TILES, ...MATRIX_TILES].map((one) => [tileName(one.tile), one]),
);

/** A tile's name takes longer than all else. */
const shares = new WeakMap<Tile, number>();

function shareOf(tile: Tile): number {
  const share = shares.get(tile) ?? LARGE_TILES.get(tileName(tile))?.share ?? 1;
  shares.set(tile, share);
  return share;
}

/** Microseconds, with the second pass. */
export function estimate({ tile }: LargeTile, size: ProductSize, slices: number): number {
  const product = workTime(tileWork(tile, size.K / slices, size), tilesOf(tile, size) * slices);
  if (slices === 1) return product;
  return product + PASS + (4 * (slices + 1) * size.M * size.N * (size.count ?? 1)) / PASS_BYTES;
}

/** The second pass: fixed microseconds, and bytes per microsecond. */
const [PASS, PASS_BYTES] = [3, 2.6e6];

export const MAX_SLICES = 256;

/** The best numbers of slices, by tile and size: choices of tiles ask for the same ones over and over. */
const knownSlices = new Map<string, number>();

export function bestSlices(one: LargeTile, size: ProductSize): number {
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
