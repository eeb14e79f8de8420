/** Whether libraries computed the right numbers, and the same. */

/**
 * How far any number may be from float64, and from the first library's, relative to the largest. Sums of 10^5 products
 * in float32, one after the other, are off by about a tenth of it.
 */
const TOLERANCE = 1e-4;

/** Numbers that are compared with float64. */
export const PLACES = 64;

/** Some of an operation's right numbers. */
export interface Expected {
  /** The operation, for messages. */
  what: string;
  /** Flat indices. */
  places: readonly number[];
  /** In float64. */
  exact: readonly number[];
}

export interface Result {
  title: string;
  numbers: Float32Array;
}

/**
 * Compares numbers at some places with float64, and all numbers with the first library's.
 * @returns each one's largest relative error against float64
 * @throws Error if one is wrong
 */
export function judge({ what, places, exact }: Expected, results: readonly Result[]): number[] {
  const [first] = results;
  const largest = largestOf(first.numbers, (i) => first.numbers[i]);
  return results.map(({ title, numbers }) => {
    if (numbers.length !== first.numbers.length) {
      throw new Error(`${title}: ${what} has ${numbers.length} numbers, expected ${first.numbers.length}`);
    }
    const error = largestOf(places, (i) => numbers[places[i]] - exact[i]) / largest;
    const apart = largestOf(numbers, (i) => numbers[i] - first.numbers[i]) / largest;
    for (const [off, than] of [[error, 'float64'] as const, [apart, first.title] as const]) {
      if (!(off <= TOLERANCE)) {
        throw new Error(
          `${title}: ${what} differs from ${than} by ${off} of the largest number, allowed ${TOLERANCE}`,
        );
      }
    }
    return error;
  });
}

/** The largest magnitude; NaN if one is. */
function largestOf(all: ArrayLike<unknown>, number: (index: number) => number): number {
  let largest = 0;
  for (let i = 0; i < all.length; i++) largest = Math.max(largest, Math.abs(number(i)));
  return largest;
}
