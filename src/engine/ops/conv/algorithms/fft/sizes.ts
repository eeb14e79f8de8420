/** The sizes of all tensors of an FFT convolution, for a number of images at a time. */
import { alignUp, elements, type Shape } from '../../../../../base/shape.ts';
import type { ProductSize } from '../../../../gemm/tiles.ts';
import type { ConvSetting } from '../../algorithm.ts';
import type { ConvProblem, Direction } from '../../problem.ts';
import { cutsOf, type Cuts, type Tiling } from './tilings.ts';
import {
  frequencies,
  halfwayShape,
  itemsOf,
  spectraShape,
  type Planes,
  type ComplexProducts,
} from './transforms.ts';

/** How to compute a convolution by FFT, without the tile of its matrix multiplications. */
export interface FftWay {
  setting: ConvSetting;
  direction: Direction;
  tiling: Tiling;
  products: ComplexProducts;
}

/**
 * The tensors to transform; the result is transformed back. In wgrad the second factor is dy and the result dw,
 * otherwise the second factor is w.
 */
export interface Three<T> {
  image: T;
  other: T;
  result: T;
}

export interface FftSizes {
  planes: Three<Planes>;
  /** One slice of the result. */
  spectra: Three<Shape>;
  /** Between the passes over columns and rows; empty if there is one pass. */
  halfway: Shape;
  product: ProductSize & { count: number };
}

export function sizesOf({ setting, direction, tiling, products }: FftWay, images: number): FftSizes {
  const { problem, number } = setting;
  const { C, H, W, K, R, S, P, Q, groups } = problem;
  const cuts = cutsOf(problem, direction, tiling);
  const input = (cut: Cuts): Planes => ({
    cuts: cut,
    firstImage: 0,
    images,
    planes: C,
    groups,
    number,
    imageStride: C * H * W,
    planeStride: H * W,
  });
  const output = (cut: Cuts): Planes => ({
    cuts: cut,
    firstImage: 0,
    images,
    planes: K,
    groups,
    number,
    imageStride: K * P * Q,
    planeStride: P * Q,
  });
  // Filters are transformed like images, with K planes per channel.
  const filters = (cut: Cuts): Planes => ({
    cuts: cut,
    firstImage: 0,
    images: C / groups,
    planes: K,
    groups,
    imageStride: R * S,
    planeStride: (C / groups) * R * S,
    number: direction === 'wgrad' ? 'f32' : number,
  });
  const planes: Three<Planes> = {
    image: (direction === 'dgrad' ? output : input)(cuts.image),
    other: (direction === 'wgrad' ? output : filters)(cuts.other),
    result: { fprop: output, dgrad: input, wgrad: filters }[direction](cuts.result),
  };
  const wgrad = direction === 'wgrad';
  const spectra: Three<Shape> = {
    image: spectraShape(planes.image, products, false),
    other: spectraShape(planes.other, products, !wgrad),
    result: spectraShape(planes.result, products, wgrad),
  };
  const halfways = [planes.image, planes.other, planes.result].map(halfwayShape);
  return {
    planes,
    spectra,
    product: productSize(problem, direction, products, tiling, itemsOf(planes.image)),
    halfway: halfways.reduce((a, b) => (elements(b) > elements(a) ? b : a)),
  };
}

function productSize(
  { C, K, groups }: ConvProblem,
  direction: Direction,
  products: ComplexProducts,
  { size }: Tiling,
  items: number,
): FftSizes['product'] {
  // Four real products are one of twice the size.
  const [times, parts] = products === 'four' ? [1, 2] : [3, 1];
  const count = frequencies(size) * groups * times;
  const [c, k] = [(parts * C) / groups, (parts * K) / groups];
  switch (direction) {
    case 'fprop':
      return { count, M: k, N: items, K: c };
    case 'dgrad':
      return { count, M: c, N: items, K: k };
    case 'wgrad':
      return { count, M: k, N: c, K: items, alongK: true, sliced: true };
  }
}

const tensorBytes = (shape: Shape): number => alignUp(4 * elements(shape), 256);

/** Bytes of workspace for this many slices of the result. */
export function sizesBytes({ spectra, halfway }: FftSizes, slices: number): number {
  const { image, other, result } = spectra;
  return tensorBytes(image) + tensorBytes(other) + tensorBytes(halfway) + slices * tensorBytes(result);
}

/** Bytes of the largest tensor of the workspace. */
export function largestBytes({ spectra, halfway }: FftSizes, slices: number): number {
  const { image, other, result } = spectra;
  return Math.max(...[image, other, halfway].map(tensorBytes), slices * tensorBytes(result));
}

/** Multiplications that a GPU computes while it moves one byte. */
const PRODUCTS_PER_BYTE = 3;

/** The cost of one chunk of images in real multiplications: an estimate to compare ways. */
export function costOf({ spectra, product: { M, N, K, count } }: FftSizes): number {
  const { image, other, result } = spectra;
  // All spectra are written once and read once.
  const bytes = 2 * 4 * (elements(image) + elements(other) + elements(result));
  return count * M * N * K + PRODUCTS_PER_BYTE * bytes;
}
