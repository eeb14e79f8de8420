import type { Interval } from './median-interval.ts';

/** The normal distribution's quantile for 95 % on both sides together. */
const Z = 1.959964;

/**
 * Wilson's interval: where the true share lies in 95 % of cases, if `share` was found in `count` samples. It is sound for few
 * samples and for shares of 0 and 1.
 * https://en.wikipedia.org/wiki/Binomial_proportion_confidence_interval#Wilson_score_interval
 * @param share 0 to 1
 * @param count at least 1
 */
export function wilsonInterval(share: number, count: number): Interval {
  const weight = Z ** 2 / count;
  const middle = share + weight / 2;
  const half = Z * Math.sqrt((share * (1 - share)) / count + weight / (4 * count));
  return [Math.max(0, (middle - half) / (1 + weight)), Math.min(1, (middle + half) / (1 + weight))];
}
