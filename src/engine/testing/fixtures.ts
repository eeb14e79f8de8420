/** Seeded inputs for tests: the same on every machine. */
import { Random } from '../../base/random.ts';
import { elements, type Shape } from '../../base/shape.ts';

/** Numbers with their shape, last dimension fastest. */
export interface FixtureValues {
  readonly shape: Shape;
  readonly data: Float32Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;
}

/**
 * Integers from -largest to largest. Their products and sums are exact in float32 below 2^24, in any order, so a kernel
 * must be correct to the last bit.
 */
export function integers(
  seed: number,
  shape: Shape,
  largest = 4,
): FixtureValues & { data: Float32Array<ArrayBuffer> } {
  const random = new Random(seed, 'integers');
  return {
    shape,
    data: new Float32Array(elements(shape)).map(() => random.below(2 * largest + 1) - largest),
  };
}

/** Normally distributed numbers, mean 0, deviation 1. */
export function normals(seed: number, shape: Shape): FixtureValues & { data: Float32Array<ArrayBuffer> } {
  const random = new Random(seed, 'normals');
  return { shape, data: new Float32Array(elements(shape)).map(() => random.normal()) };
}

/** Integers from 0 to bound - 1, as labels are. */
export function labels(
  seed: number,
  count: number,
  bound: number,
): FixtureValues & { data: Uint32Array<ArrayBuffer> } {
  const random = new Random(seed, 'labels');
  return { shape: [count], data: new Uint32Array(count).map(() => random.below(bound)) };
}
