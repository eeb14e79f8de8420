/**
 * How far a vector is from those of known classes: Mahalanobis distance to the nearest class's mean, with one covariance for
 * all classes, after Lee et al., A simple unified framework for detecting out-of-distribution samples, 2018. The covariance
 * has few directions of its own, and one variance in all others, so that few images suffice for it.
 */
import { symmetricEigen } from './eigen.ts';
import { Random } from './random.ts';

export interface Familiar {
  /** [classes, values] */
  means: ArrayLike<number>;
  /** [rank, values], orthonormal: the directions in which classes vary most. */
  directions: ArrayLike<number>;
  /** The variance along each direction, and in all others, in units of the squared distance that is the limit. */
  variances: ArrayLike<number>;
  rest: number;
}

/** Directions of the covariance. */
export const RANK = 32;
/** Rounds of subspace iteration: the directions need not be exact. */
const ROUNDS = 6;
/** One of so many vectors is not in the statistics, but sets the limit. */
const HELD_OUT = 4;
/** No variance and no limit is below this. */
const LEAST = 1e-9;

/** The squared distance to the nearest class; 1 is the limit of what is familiar. */
export function strangeness(
  { means, directions, variances, rest }: Familiar,
  vector: ArrayLike<number>,
): number {
  const values = vector.length;
  const away = new Float64Array(values);
  let nearest = Infinity;
  for (let mean = 0; mean < means.length; mean += values) {
    let left = 0;
    for (let i = 0; i < values; i++) {
      away[i] = vector[i] - means[mean + i];
      left += away[i] * away[i];
    }
    let distance = 0;
    for (let k = 0; k < variances.length; k++) {
      let along = 0;
      for (let i = 0; i < values; i++) along += away[i] * directions[k * values + i];
      distance += (along * along) / variances[k];
      left -= along * along;
    }
    nearest = Math.min(nearest, distance + Math.max(0, left) / rest);
  }
  return nearest;
}

/**
 * Statistics of known vectors. The work is done in short pieces.
 * @param labels the class of each
 * @param within the share of vectors that are not in the statistics, but within the limit
 * @param pause called between the pieces
 */
export async function familiarOf(
  vectors: readonly Float32Array[],
  labels: ArrayLike<number>,
  within: number,
  pause: () => Promise<void> = () => Promise.resolve(),
): Promise<Familiar> {
  const values = vectors[0].length;
  const kept = [...vectors.keys()].filter((i) => i % HELD_OUT !== 0);
  const classes = [...new Set(kept.map((i) => labels[i]))].sort((a, b) => a - b);
  const means = new Float32Array(classes.length * values);
  const sizes = classes.map((one) => kept.filter((i) => labels[i] === one).length);
  const placeOf = new Map(classes.map((one, place) => [one, place]));
  for (const i of kept) {
    const place = placeOf.get(labels[i]) ?? 0;
    vectors[i].forEach((value, j) => (means[place * values + j] += value / sizes[place]));
  }
  const away = kept.map((i) => {
    const mean = (placeOf.get(labels[i]) ?? 0) * values;
    return vectors[i].map((value, j) => value - means[mean + j]);
  });
  await pause();
  const total = away.reduce((sum, one) => sum + dot(one, one), 0) / kept.length;
  const { directions, variances } = await mainDirections(
    away,
    Math.min(RANK, values - 1, kept.length),
    pause,
  );
  const explained = variances.reduce((a, b) => a + b, 0);
  const rest = Math.max((total - explained) / (values - variances.length), LEAST);
  const found: Familiar = { means, directions, variances: variances.map((one) => one + rest), rest };
  const distances: number[] = [];
  for (let i = 0; i < vectors.length; i += HELD_OUT) {
    distances.push(strangeness(found, vectors[i]));
    if (distances.length % 16 === 0) await pause();
  }
  distances.sort((a, b) => a - b);
  // Vectors may all be the same.
  const limit = Math.max(LEAST, distances[Math.floor(within * (distances.length - 1))]);
  return {
    means,
    directions,
    variances: Array.from(found.variances, (one) => one * limit),
    rest: rest * limit,
  };
}

/**
 * The directions in which vectors vary most around 0, by subspace iteration with Rayleigh and Ritz's step: Golub and Van
 * Loan, Matrix Computations, section 8.2.
 */
async function mainDirections(
  vectors: readonly Float32Array[],
  rank: number,
  pause: () => Promise<void>,
): Promise<{ directions: Float32Array; variances: readonly number[] }> {
  const values = vectors[0].length;
  const random = new Random(1, 'directions');
  let basis: Float64Array[] = Array.from({ length: rank }, () =>
    Float64Array.from({ length: values }, () => random.uniform(-1, 1)),
  );
  let variances: readonly number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    orthonormalise(basis);
    await pause();
    const inner = new Float64Array(rank * rank);
    const next = basis.map(() => new Float64Array(values));
    for (const [i, vector] of vectors.entries()) {
      const along = basis.map((one) => dot(one, vector));
      for (let k = 0; k < rank; k++) {
        for (let l = 0; l < rank; l++) inner[k * rank + l] += (along[k] * along[l]) / vectors.length;
        const [row, share] = [next[k], along[k] / vectors.length];
        for (let j = 0; j < values; j++) row[j] += share * vector[j];
      }
      if (i % 64 === 63) await pause();
    }
    if (round < ROUNDS - 1) basis = next;
    else {
      const ritz = symmetricEigen(inner, rank);
      variances = Array.from(ritz.values, (one) => Math.max(0, one));
      basis = ritz.vectors.map((mix) => combined(basis, mix));
    }
  }
  const directions = new Float32Array(rank * values);
  basis.forEach((row, k) => directions.set(row, k * values));
  return { directions, variances };
}

const combined = (rows: readonly Float64Array[], mix: ArrayLike<number>): Float64Array =>
  rows[0].map((_, j) => rows.reduce((sum, row, k) => sum + mix[k] * row[j], 0));

/** Gram and Schmidt's process, twice, which is enough. */
function orthonormalise(rows: readonly Float64Array[]): void {
  rows.forEach((row, k) => {
    for (let again = 0; again < 2; again++) {
      for (let before = 0; before < k; before++) {
        const along = dot(row, rows[before]);
        for (let j = 0; j < row.length; j++) row[j] -= along * rows[before][j];
      }
      const length = Math.sqrt(dot(row, row)) || 1;
      for (let j = 0; j < row.length; j++) row[j] /= length;
    }
  });
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Vectors one after the other, each of length 1, so that none outweighs the others. */
export function joined(parts: readonly ArrayLike<number>[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    const length = Math.sqrt(dot(part, part)) || 1;
    for (let i = 0; i < part.length; i++) all[end + i] = part[i] / length;
    end += part.length;
  }
  return all;
}
