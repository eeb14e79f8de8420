import { alignUp } from '../../base/shape.ts';
import type { PlanBuilder, Tensor } from '../plan.ts';
import { productConstants, tileGrid, type Tile } from './tiles.ts';

/** Matrix products of the same sizes, C = A B; see shaders/gemm/products.wgsl for how they lie in memory. */
export interface Products {
  /** Default 1. Together with the slices at most 65535. */
  count?: number;
  M: number;
  N: number;
  K: number;
  /** [count, M, K to 4], or [count, K, M to 4] if not `aAlongK`. */
  a: Tensor;
  aAlongK: boolean;
  /** [count, K, N to 4], or [count, N, K to 4] if `bAlongK`. */
  b: Tensor;
  bAlongK: boolean;
  /** [slices, count, M, N to 4] */
  c: Tensor;
  tile: Tile;
  /** Parts of the sum over K, for a second pass to add up. Default 1. */
  slices?: number;
}

/** A length as it lies in memory. */
export const toFour = (length: number): number => alignUp(length, 4);

/** Adds the products to `plan`, as one dispatch. */
export function planProducts(plan: PlanBuilder, label: string, products: Products): void {
  const { count = 1, M, N, K, a, aAlongK, b, bAlongK, c, tile, slices = 1 } = products;
  plan.dispatch({
    label,
    kernel: {
      shader: 'gemm/products',
      constants: {
        ...productConstants(tile, { M, N, K }, slices),
        ...{ COUNT: count, SLICES: slices, A_ALONG_K: aAlongK, B_ALONG_K: bAlongK },
      },
    },
    tensors: { a, b, c },
    uniforms: { M, N, K },
    workgroups: tileGrid(tile, { M, N, K, count: count * slices }),
    flop: 2 * count * M * N * K,
  });
}
