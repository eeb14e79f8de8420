/**
 * Convolutions that are plain matrix products: every image is a matrix of channels by pixels as it lies in memory, and
 * filters of 1x1 mix its channels. What `gemm_1x1` is, and what `im2col_gemm` becomes once it has made its columns.
 */
import { productConstants, tileGrid, type ProductSize, type Tile } from '../../../gemm/tiles.ts';
import { wgslVectorType } from '../../../dispatch.ts';
import type { NumberType, PlanBuilder, Tensor } from '../../../plan.ts';

/** What products in both ways share. */
export interface PointwiseSizes {
  groups: number;
  /** Channels of x a group. */
  inputs: number;
  /** Channels of y a group. */
  outputs: number;
  /** Pixels of each image that take part. */
  pixels: number;
  /** Pixels of all images together; fewer than `pixels` where they end within the only image. */
  columns: number;
  /** Numbers from one channel to the next, in x and in y. */
  xPlane: number;
  yPlane: number;
  /** Where the first number of the first image lies, in x and in y. Default 0. */
  xStart?: number;
  yStart?: number;
}

export interface PointwiseProduct extends PointwiseSizes {
  tile: Tile;
  /** How x and w are stored. */
  number: NumberType;
  x: Tensor;
  /**
   * [groups * outputs, inputs], or where `transposed` [groups * inputs, wRow], of which the product takes `outputs`
   * numbers of each row, from number `wStart` on.
   */
  w: Tensor;
  transposed: boolean;
  wRow: number;
  wStart?: number;
  y: Tensor;
  bias?: Tensor;
  relu?: boolean;
  /** As large as y and stored like x: y is 0 where this is not positive. */
  mask?: Tensor;
}

/** The product's size, as tiles are chosen by. */
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
    // What is not there is bound all the same: x is as large as any, and nobody looks.
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
  });
}

export interface PointwiseGradient extends PointwiseSizes {
  tile: Tile;
  slices: number;
  /** How dy and x are stored. */
  number: NumberType;
  /** Where `y` of the sizes is meant. */
  dy: Tensor;
  x: Tensor;
  /** [slices, groups * outputs, inputs], float32. */
  dw: Tensor;
  /** Adds to what dw holds instead of writing it again. */
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
  });
}

const allMultiplesOfFour = (...numbers: number[]): boolean => numbers.every((number) => number % 4 === 0);
