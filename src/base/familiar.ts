/**
 * How far a vector is from those of known classes: the squared distance to the nearest class's mean, each value in units of
 * its variance in that class, which is Mahalanobis's distance with a diagonal covariance for each class.
 */

export interface Familiar {
  /** [classes, values] */
  means: ArrayLike<number>;
  /** [classes, values], times the distance that is the limit. */
  variances: ArrayLike<number>;
}

/** One of so many vectors is not in the statistics, but sets the limit. */
const HELD_OUT = 4;
/** A value that hardly varies in a class counts as if it varied by this share of what all vary on average. */
const LEAST_VARIANCE = 0.1;
/** Vectors that are all the same differ by rounding: no variance is below the first, and no limit below the second. */
const [ROUNDING, LEAST_LIMIT] = [1e-9, 1];

/** The squared distance to the nearest class; 1 is the limit of what is familiar. */
export function strangeness({ means, variances }: Familiar, vector: ArrayLike<number>): number {
  const values = vector.length;
  let nearest = Infinity;
  for (let first = 0; first < means.length; first += values) {
    let distance = 0;
    for (let i = 0; i < values; i++) distance += (vector[i] - means[first + i]) ** 2 / variances[first + i];
    nearest = Math.min(nearest, distance);
  }
  return nearest;
}

/**
 * Statistics of known vectors.
 * @param labels the class of each
 * @param within the share of vectors that are not in the statistics, but within the limit
 */
export function familiarOf(
  vectors: readonly Float32Array[],
  labels: ArrayLike<number>,
  within: number,
): Familiar {
  const values = vectors[0].length;
  const kept = [...vectors.keys()].filter((i) => i % HELD_OUT !== 0);
  const classes = [...new Set(kept.map((i) => labels[i]))];
  const means = new Float64Array(classes.length * values);
  const variances = new Float64Array(means.length);
  for (const [place, label] of classes.entries()) {
    const own = kept.filter((i) => labels[i] === label).map((i) => vectors[i]);
    const first = place * values;
    for (const vector of own) for (let i = 0; i < values; i++) means[first + i] += vector[i] / own.length;
    for (const vector of own)
      for (let i = 0; i < values; i++)
        variances[first + i] += (vector[i] - means[first + i]) ** 2 / own.length;
  }
  const mean = variances.reduce((sum, one) => sum + one, 0) / variances.length;
  const least = LEAST_VARIANCE * mean + ROUNDING;
  const found = { means, variances: variances.map((one) => one + least) };
  const distances = vectors.filter((_, i) => i % HELD_OUT === 0).map((vector) => strangeness(found, vector));
  distances.sort((a, b) => a - b);
  const limit = Math.max(LEAST_LIMIT, distances[Math.floor(within * (distances.length - 1))]);
  return { means, variances: found.variances.map((one) => one * limit) };
}

/** Vectors one after the other, each of length 1, so that none outweighs the others. */
export function joined(parts: readonly ArrayLike<number>[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    let squares = 0;
    for (let i = 0; i < part.length; i++) squares += part[i] * part[i];
    const length = Math.sqrt(squares) || 1;
    for (let i = 0; i < part.length; i++) all[end + i] = part[i] / length;
    end += part.length;
  }
  return all;
}
