import { Failure } from './result.ts';

/** Sizes, outermost first. Images are [N, C, H, W], weights [K, C / groups, R, S], as in PyTorch. */
export type Shape = readonly number[];

/** Values of a tensor at most: a WebGPU buffer has at most 4 GiB, and kernels index with 32 bits. */
export const MOST_ELEMENTS = 2 ** 30;

export const elements = (shape: Shape): number => shape.reduce((product, size) => product * size, 1);

/** The largest height or width of an image, and the most channels. */
export const MAX_SIDE = 4096;
/** The most values of an image: 4096 x 4096 pixels with four channels. */
export const MAX_IMAGE = 2 ** 26;

/** Whether these are the [C, H, W] of an image that a network can have as its input. */
export const isImageShape = (sizes: unknown): sizes is [number, number, number] =>
  Array.isArray(sizes) &&
  sizes.length === 3 &&
  sizes.every(
    (size: unknown) => Number.isSafeInteger(size) && (size as number) >= 1 && (size as number) <= MAX_SIDE,
  ) &&
  elements(sizes) <= MAX_IMAGE;

/** Of an image's two directions, such as a stride. */
export type Pair = readonly [vertical: number, horizontal: number];

export const sameShape = (a: Shape, b: Shape): boolean =>
  a.length === b.length && a.every((size, i) => size === b[i]);

export const showShape = (shape: Shape): string => `[${shape.join(', ')}]`;

export const ceilDiv = (a: number, b: number): number => Math.ceil(a / b);

export const alignUp = (value: number, alignment: number): number => ceilDiv(value, alignment) * alignment;

/** Throws unless `found` is `expected`; `what` names the tensor in the message. */
export function requireShape(what: string, found: Shape, expected: Shape): void {
  if (!sameShape(found, expected)) {
    throw new Failure(
      'bad-input',
      `${what}: expected shape ${showShape(expected)}, found ${showShape(found)}`,
    );
  }
}
