/** The check of every kernel against a float64 reference: the largest difference over the largest value. */
import { assert } from '../../base/assert.ts';

export type Numbers = Float32Array | Float64Array | Uint32Array | Int32Array;

export interface Comparison {
  /** Largest |difference| over largest |expected|. Infinity if anything is not finite. */
  error: number;
  /** Largest |difference|; Infinity if anything is not finite. */
  difference: number;
  /** The index of the largest difference, or of the first value that is not finite. */
  index: number;
}

/**
 * A value that is not finite equals nothing, not even itself. If all of `expected` is 0, only 0 is correct.
 */
export function compare(actual: Numbers, expected: Numbers): Comparison {
  assert(actual.length === expected.length, `compared ${actual.length} numbers with ${expected.length}`);
  let scale = 0;
  let largest = 0;
  let index = 0;
  for (let i = 0; i < expected.length; i++) {
    if (!Number.isFinite(actual[i]) || !Number.isFinite(expected[i])) {
      return { error: Infinity, difference: Infinity, index: i };
    }
    scale = Math.max(scale, Math.abs(expected[i]));
    const difference = Math.abs(actual[i] - expected[i]);
    if (difference > largest) {
      largest = difference;
      index = i;
    }
  }
  const error = largest === 0 ? 0 : scale === 0 ? Infinity : largest / scale;
  return { error, difference: largest, index };
}

export const relativeError = (actual: Numbers, expected: Numbers): number => compare(actual, expected).error;

/** Throws, with the place and the values, unless the relative error is at most `tolerance`. */
export function expectClose(label: string, actual: Numbers, expected: Numbers, tolerance: number): void {
  const { error, index } = compare(actual, expected);
  if (error <= tolerance) return;
  throw new Error(
    `${label}: relative error ${error.toExponential(2)}, allowed ${tolerance.toExponential(2)}; ` +
      `worst at ${index} of ${expected.length}: expected ${expected[index]}, found ${actual[index]}`,
  );
}

/** Throws, with the place and the values, unless all differences are at most `bound`: see ../error-bound.ts. */
export function expectWithin(label: string, actual: Numbers, expected: Numbers, bound: number): void {
  const { difference, index } = compare(actual, expected);
  if (difference <= bound) return;
  throw new Error(
    `${label}: off by ${difference.toExponential(2)}, allowed ${bound.toExponential(2)}; ` +
      `worst at ${index} of ${expected.length}: expected ${expected[index]}, found ${actual[index]}`,
  );
}

/** Throws at the first number that differs at all. For integers, whose sums float32 holds exactly. */
export function expectExact(label: string, actual: Numbers, expected: Numbers): void {
  assert(actual.length === expected.length, `compared ${actual.length} numbers with ${expected.length}`);
  let index = -1;
  let wrong = 0;
  for (let i = 0; i < expected.length; i++) {
    if (actual[i] === expected[i]) continue;
    if (wrong++ === 0) index = i;
  }
  if (wrong === 0) return;
  throw new Error(
    `${label}: ${wrong} of ${expected.length} numbers are wrong, the first at ${index}: ` +
      `expected ${expected[index]}, found ${actual[index]}`,
  );
}
