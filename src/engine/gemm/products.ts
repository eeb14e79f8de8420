import { alignUp } from '../../base/shape.ts';
import type { Device } from '../../gpu/device.ts';
import { wgslVectorType } from '../dispatch.ts';
import type { NumberType, PlanBuilder, Tensor } from '../plan.ts';
import { slicedGradients } from './slices.ts';
import { chooseSlices, chooseTile } from './choose-tile.ts';
import { canBeWide, productConstants } from './tile-constants.ts';
import { tileWork } from './tile-time.ts';
import { tileGrid, tileName, type ProductSize, type Tile } from './tiles.ts';

/** Matrix multiplications of the same size, C = A B; see shaders/gemm/products.wgsl for their layout in memory. */
export interface Products {
  /** Default 1. Times the number of slices, at most 65535. */
  count?: number;
  M: number;
  N: number;
  K: number;
  /** [count, M, K to 4], or [count, K, M to 4] if not `aAlongK`. Of b's type. */
  a: Tensor;
  aAlongK: boolean;
  /** [count, K, N to 4], or [count, N, K to 4] if `bAlongK`. */
  b: Tensor;
  bAlongK: boolean;
  /** [slices, count, M, N to 4] */
  c: Tensor;
  tile: Tile;
  /** Split-K: parts of the sum over K, for a second pass to add up. Default 1. */
  slices?: number;
}

/** A length as padded in memory. */
export const toFour = (length: number): number => alignUp(length, 4);

/** Adds the products to `plan`, as one dispatch. */
export function planProducts(plan: PlanBuilder, label: string, products: Products): void {
  const { count = 1, M, N, K, a, aAlongK, b, bAlongK, c, tile, slices = 1 } = products;
  const contiguous = [aAlongK ? K : M, bAlongK ? K : N];
  const wide = a.type === 'f16' && canBeWide(tile) && contiguous.every((length) => length % 8 === 0);
  plan.dispatch({
    label,
    kernel: {
      shader: 'gemm/products',
      constants: {
        ...productConstants(tile, { M, N, K }, slices, wide),
        Four: wide ? 'vec4u' : wgslVectorType(a.type, true),
        COUNT: count,
        SLICES: slices,
        A_ALONG_K: aAlongK,
        B_ALONG_K: bAlongK,
      },
    },
    tensors: { a, b, c },
    uniforms: { M, N, K },
    workgroups: tileGrid(tile, { M, N, K, count: count * slices }),
    flop: 2 * count * M * N * K,
    work: tileWork(tile, K / slices, { wide }),
  });
}

/** How a matrix multiplication is computed. */
export interface ProductWay {
  tile: Tile;
  slices: number;
}

/**
 * The configuration predicted to be fastest, of all or of those with `tile`.
 * @param number how A and B are stored
 */
export function chooseWay(
  device: Device,
  { M, N, K, count = 1 }: ProductSize,
  number: NumberType,
  tile?: Tile,
): ProductWay {
  const size = { M, N, K, count, sliced: true };
  const cut = tile ?? chooseTile(device, size, number);
  const most = Math.floor(device.limit('maxStorageBufferBindingSize') / (4 * count * M * toFour(N)));
  return { tile: cut, slices: Math.max(1, Math.min(chooseSlices(device, cut, size), most)) };
}

/** "64x128x16 8x8, 2 slices" */
export const wayName = ({ tile, slices }: ProductWay): string =>
  slices > 1 ? `${tileName(tile)}, ${slices} slices` : tileName(tile);

/** As planProducts, and adds the slices up: `c` is [count, M, N to 4]. */
export function planSummedProducts(
  plan: PlanBuilder,
  label: string,
  { c, slices = 1, ...products }: Products,
): void {
  const sliced = slicedGradients(plan, label, slices, c, undefined);
  planProducts(plan, label, { ...products, c: sliced.dw, slices });
  sliced.finish();
}
