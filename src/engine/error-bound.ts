/**
 * How far a sum of products in float32 may be from its exact value, from the number of its terms and their size.
 *
 * Whatever the order, n terms are off by at most n u Σ|a||b| / (1 - n u), for a unit roundoff u (Higham, "Accuracy and
 * Stability of Numerical Algorithms", 2002, section 3.1). That allows for roundings that all fall the same way; for long
 * sums it is so wide that missing terms would pass. Where terms have random signs, as in all our inputs, roundings do not
 * (Higham and Mary, "Sharper probabilistic backward error analysis for basic linear algebra kernels with random data",
 * 2020). The running sum of n such terms is a random walk W, each of its steps is rounded by an independent error, and so
 * the error is an integral ∫W dB along it, in units of 0.42 u n q for terms of root mean square q. For two independent
 * Brownian motions that integral has the characteristic function 1 / √cosh t (Lévy): it exceeds x with a probability that
 * falls as exp(-π x / 2), however many terms there are. The bound is the x that one of all values exceeds with the
 * probability CHANCE. Other orders, such as parts and trees, have smaller errors.
 *
 * Transforms, such as Winograd's and Fourier's, round each product some more times, and enlarge all of these errors by
 * their norms.
 */

/** The unit roundoff of float32. */
export const ROUNDOFF = 2 ** -24;

/** Of the relative error of a rounding, in unit roundoffs: the root mean square for numbers of any magnitude, √(1 / (8 ln 2)). */
const RMS_ROUNDING = Math.sqrt(1 / (8 * Math.LN2));

/** That one of the values of a correct result exceeds its bound. */
const CHANCE = 1e-9;

/**
 * Root mean square by mean of the products' absolute values: for normally distributed numbers, π / 2; for uniform ones
 * less.
 */
const RMS_BY_MEAN = Math.PI / 2;

/** How a value is summed up. */
export interface Sum {
  /** Products, with those that are zero by padding where transforms mix them with others. */
  readonly terms: number;
  /** Absent for plain sums. */
  readonly transforms?: {
    /** How often each product is rounded besides its running sum. */
    readonly roundings: number;
    /** By how much errors are enlarged. */
    readonly enlarged: number;
  };
}

/** The largest error of a sum in units of u Σ|a||b|. @param values how many such sums are compared */
export function errorConstant({ terms, transforms }: Sum, values: number): number {
  const { roundings, enlarged } = transforms ?? { roundings: 1, enlarged: 1 };
  const deviations = (2 / Math.PI) * Math.log(values / CHANCE);
  // The walk's roundings have a variance of n² / 2, the others of n each.
  const longest = Math.sqrt(1 + (2 * roundings) / terms);
  const likely = enlarged * deviations * RMS_ROUNDING * RMS_BY_MEAN * longest;
  return transforms ? likely : Math.min(likely, terms / (1 - terms * ROUNDOFF));
}

/** The largest error of a sum. @param size Σ|a||b|, of the value for which it is largest */
export const errorBound = (sum: Sum, size: number, values: number): number =>
  errorConstant(sum, values) * ROUNDOFF * size;

/**
 * Σ|a||b| of `terms` products of numbers that are uniform on [-1, 1), for the largest of many values: a quarter for each
 * term, and seven standard deviations.
 */
export const uniformSize = (terms: number): number => Math.min(terms, terms / 4 + 1.5 * Math.sqrt(terms));
