/** How precisely samples determine their median, without an assumption about their distribution. */

/** Both ends of an interval, in the unit of the samples. */
export type Interval = readonly [low: number, high: number];

const CONFIDENCE = 0.95;

/** Fewer samples than six determine no such interval: their extremes, each moved outwards by this factor. */
const WIDENED = 1.25;

/**
 * The narrowest interval between two of the sorted samples, equally far from both ends, that contains the true median in
 * at least 95 % of cases: as many samples lie below it as heads fall in n tosses of a coin. Of ten samples, from the
 * second to the ninth.
 * https://en.wikipedia.org/wiki/Order_statistic#Confidence_intervals_for_quantiles
 * @param samples positive numbers, at least one, in any order
 */
export function medianInterval(samples: readonly number[]): Interval {
  const sorted = [...samples].sort((a, b) => a - b);
  const n = sorted.length;
  // The probability of exactly `k` heads, and of up to `k`.
  let exactly = 0.5 ** n;
  let upTo = exactly;
  let cut = -1;
  for (let k = 0; 2 * upTo <= 1 - CONFIDENCE; k++) {
    cut = k;
    exactly *= (n - k) / (k + 1);
    upTo += exactly;
  }
  return cut < 0 ? [sorted[0] / WIDENED, sorted[n - 1] * WIDENED] : [sorted[cut], sorted[n - 1 - cut]];
}

/** a / b, given an interval of each: from the smallest to the largest that both allow. */
export const ratioInterval = (a: Interval, b: Interval): Interval => [a[0] / b[1], a[1] / b[0]];
