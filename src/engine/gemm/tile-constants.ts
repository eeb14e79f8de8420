/** What the shaders of a matrix multiplication are compiled with. */
import type { Constants } from '../../gpu/link.ts';
import type { NumberType } from '../dispatch.ts';
import { columns, rows, threads, type ProductSize, type Subgroups, type Tile } from './tiles.ts';

/** Terms that a thread may add one after the other before float32 loses too much precision. */
export const LONG_SUM = 2560;

/** Rows and columns of the fragments that tensor cores multiply. */
export const FRAGMENT = 16;

/** Fragments whose results a subgroup writes to workgroup memory together. */
export const fragmentsAtOnce = ({ SUB_N }: Subgroups): number => ((SUB_N / FRAGMENT) % 2 === 0 ? 2 : 1);

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
