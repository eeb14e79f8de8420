/**
 * Convolutions that are plain matrix multiplications: every image is a matrix of channels by pixels in memory, and
 * filters of 1x1 mix its channels. `gemm_1x1` uses this directly, `im2col_gemm` once it has written its columns.
 */
import { GATHER_COST } from '../../../cost.ts';
import { productConstants } from '../../../gemm/tile-constants.ts';
import { tileWork } from '../../../gemm/tile-time.ts';
import { tileGrid, type ProductSize, type Tile } from '../../../gemm/tiles.ts';
import { wgslVectorType } from '../../../dispatch.ts';
import type { NumberType, PlanBuilder, Tensor } from '../../../plan.ts';

/** The sizes that fprop, dgrad and wgrad share. */
export interface PointwiseSizes {
  groups: number;
  /** Channels of x per group. */
  inputs: number;
  /** Channels of y per group. */
  outputs: number;
  /** Pixels of each image that are used. */
  pixels: number;
  /** Pixels of all images together; fewer than `pixels` if they end within the only image. */
  columns: number;
  /** Distance in values from one channel to the next, in x and in y. */
  xPlane: number;
  yPlane: number;
  /** The first image's offset in x and in y. Default 0. */
  xStart?: number;
  yStart?: number;
}

export interface PointwiseProduct extends PointwiseSizes {
  tile: Tile;
  /** The type of x and w. */
  number: NumberType;
  x: Tensor;
  /**
   * [groups * outputs, inputs], or if `transposed` [groups * inputs, wRow], of which the product reads `outputs` values
   * of each row from `wStart`.
   */
  w: Tensor;
  transposed: boolean;
  wRow: number;
  wStart?: number;
  y: Tensor;
  bias?: Tensor;
  relu?: boolean;
  /** Of y's size and x's type: y is 0 where this is not positive. */
  mask?: Tensor;
}

/** The product's size, by which tiles are chosen. */
export const productSize = ({ groups, inputs, outputs, columns: N }: PointwiseSizes): ProductSize => ({
  M: outputs,
  N,
  K: inputs,
  count: groups,
});

/** The weight gradient's. */
export const gradientSize = ({ groups, inputs, outputs, columns: K }: PointwiseSizes): ProductSize => ({
  M: outputs,
  N: inputs,
  K,
  count: groups,
  alongK: true,
  sliced: true,
});

/** Adds y[n] = A x[n] for every image n to `plan`, as one dispatch; A is w or its transpose. */
export function planPointwise(plan: PlanBuilder, label: string, product: PointwiseProduct): void {
  const { tile, number, x, w, y, bias, relu = false, mask, transposed, wRow, wStart = 0 } = product;
  const { groups, inputs, outputs, pixels, xPlane, yPlane, xStart = 0, yStart = 0 } = product;
  const size = productSize(product);
  const vec4 = tile.STAGED && allMultiplesOfFour(size.N, pixels, xPlane, yPlane, xStart, yStart);
  const weightVec4 = tile.STAGED && allMultiplesOfFour(wRow, wStart);
  plan.dispatch({
    label,
    kernel: {
      shader: vec4 ? 'conv/pointwise/apply_vec4' : 'conv/pointwise/apply',
      constants: {
        ...productConstants(tile, size),
        A_ALONG_K: !transposed,
        VEC4: vec4,
        WEIGHT_VEC4: weightVec4,
        Number: number,
        Pixels: wgslVectorType(number, vec4),
        Weights: wgslVectorType(number, weightVec4),
        Output: wgslVectorType(y.type, vec4),
        HAS_BIAS: bias !== undefined,
        RELU: relu,
        MASK: mask !== undefined,
      },
    },
    // Absent tensors need a binding too, which is not read; x is large enough.
    tensors: { x, w, bias: bias ?? x, mask: mask ?? x, y },
    uniforms: {
      groups,
      inputs,
      outputs,
      columns: size.N,
      pixels,
      x_start: xStart,
      x_plane: xPlane,
      y_start: yStart,
      y_plane: yPlane,
      w_start: wStart,
      w_row: wRow,
    },
    workgroups: tileGrid(tile, size),
    flop: 2 * groups * outputs * inputs * size.N,
    work: tileWork(tile, inputs),
  });
}

export interface PointwiseGradient extends PointwiseSizes {
  tile: Tile;
  slices: number;
  /** The type of dy and x. */
  number: NumberType;
  /** In the place of `y` in the sizes. */
  dy: Tensor;
  x: Tensor;
  /** [slices, groups * outputs, inputs], float32. */
  dw: Tensor;
  /** Adds to dw instead of overwriting it. */
  add?: boolean;
}

/** Adds dw = the sum over images n of dy[n] x[n]^T to `plan`, in slices, as one dispatch. */
export function planPointwiseGradient(plan: PlanBuilder, label: string, gradient: PointwiseGradient): void {
  const { tile, slices, number, dy, x, dw, add = false } = gradient;
  const { groups, inputs, outputs, pixels, xPlane, yPlane, xStart = 0, yStart = 0 } = gradient;
  const size = gradientSize(gradient);
  const vec4 = tile.STAGED && allMultiplesOfFour(size.K, pixels, xPlane, yPlane, xStart, yStart);
  plan.dispatch({
    label,
    kernel: {
      shader: 'conv/pointwise/wgrad',
      constants: {
        ...productConstants(tile, size, slices),
        A_ALONG_K: true,
        B_ALONG_K: true,
        SLICES: slices,
        GROUPS: groups,
        INPUTS: inputs,
        OUTPUTS: outputs,
        PIXELS: pixels,
        X_PLANE: xPlane,
        DY_PLANE: yPlane,
        VEC4: vec4,
        Number: number,
        Pixels: wgslVectorType(number, vec4),
      },
    },
    tensors: { dy, x, dw },
    uniforms: { columns: size.K, x_start: xStart, dy_start: yStart, add: add ? 1 : 0 },
    workgroups: tileGrid(tile, { ...size, count: groups * slices }),
    flop: 2 * groups * outputs * inputs * size.K,
    work: tileWork(tile, size.K / slices, { gather: GATHER_COST }),
  });
}

const allMultiplesOfFour = (...numbers: number[]): boolean => numbers.every((number) => number % 4 === 0);
