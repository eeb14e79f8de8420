/**
 * How far a sum of products in float32 may be from its exact value. The bound of the worst case, n u Σ|a||b| for n terms
 * and a unit roundoff u (Higham, "Accuracy and Stability of Numerical Algorithms", 2002, section 3.1), allows for
 * roundings that all fall the same way; for long sums it is so wide that missing terms would pass. Where terms have random
 * signs, as in all our inputs, the error stays within a constant times u Σ|a||b|, however many terms there are (Higham
 * and Mary, "Sharper probabilistic backward error analysis for basic linear algebra kernels with random data", 2020).
 * Each algorithm states its constant: that of plain sums, or more where transforms enlarge errors.
 */

/** The unit roundoff of float32. */
export const ROUNDOFF = 2 ** -24;

/**
 * The constant of plain sums in any order. Adding up one term after the other, an error has a standard deviation of about
 * 0.4 times u Σ|a||b|; the largest of millions is about six times that, and one of a sum that is large itself a little more.
 */
export const SUM_CONSTANT = 8;

/** The largest error of a result. @param size Σ|a||b|, of the value for which it is largest */
export const errorBound = (constant: number, size: number): number => constant * ROUNDOFF * size;

/**
 * Σ|a||b| of `terms` products of numbers that are uniform on [-1, 1), for the largest of many values: a quarter for each
 * term, and seven standard deviations.
 */
export const uniformSize = (terms: number): number => Math.min(terms, terms / 4 + 1.5 * Math.sqrt(terms));
