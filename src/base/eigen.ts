/** Eigenvalues and eigenvectors of small symmetric matrices. */
import { assert } from './assert.ts';
import { hypot1 } from './portable-math.ts';

export interface Eigen {
  /** Largest first. */
  values: Float64Array;
  /** Of length 1, in rows, in the order of the values; the component of largest size is positive. */
  vectors: Float64Array[];
}

/** Sweeps until rotations change nothing any more; ten are usual for a hundred rows. */
const MOST_SWEEPS = 60;

/**
 * By Jacobi's cyclic rotations, which are accurate to rounding: Golub and Van Loan, Matrix Computations, section 8.5.
 * @param matrix size x size, symmetric, finite
 */
export function symmetricEigen(matrix: Float64Array, size: number): Eigen {
  assert(matrix.length === size * size, `${matrix.length} values for ${size} x ${size}`);
  const a = matrix.slice();
  const v = new Float64Array(size * size);
  for (let i = 0; i < size; i++) v[i * size + i] = 1;
  for (let sweep = 0; sweep < MOST_SWEEPS && rotateAll(a, v, size); sweep++);
  const order = Array.from({ length: size }, (_, i) => i).sort((i, j) => a[j * size + j] - a[i * size + i]);
  return {
    values: Float64Array.from(order, (i) => a[i * size + i]),
    vectors: order.map((i) => {
      const vector = v.slice(i * size, (i + 1) * size);
      const largest = vector.reduce((most, value) => (Math.abs(value) > Math.abs(most) ? value : most), 0);
      return largest < 0 ? vector.map((value) => -value) : vector;
    }),
  };
}

/** One sweep of rotations, each of which makes an element zero. @returns whether one changed anything */
function rotateAll(a: Float64Array, v: Float64Array, size: number): boolean {
  let changed = false;
  for (let p = 0; p < size; p++) {
    for (let q = p + 1; q < size; q++) {
      const [pp, qq, pq] = [a[p * size + p], a[q * size + q], a[p * size + q]];
      if (Math.abs(pq) <= Number.EPSILON * Math.sqrt(Math.abs(pp * qq)) * 1e-3) continue;
      changed = true;
      const tau = (qq - pp) / (2 * pq);
      const t = (tau < 0 ? -1 : 1) / (Math.abs(tau) + hypot1(tau));
      const c = 1 / hypot1(t);
      const s = t * c;
      for (let k = 0; k < size; k++) {
        const [kp, kq] = [a[k * size + p], a[k * size + q]];
        a[k * size + p] = c * kp - s * kq;
        a[k * size + q] = s * kp + c * kq;
      }
      for (let k = 0; k < size; k++) {
        const [pk, qk] = [a[p * size + k], a[q * size + k]];
        a[p * size + k] = c * pk - s * qk;
        a[q * size + k] = s * pk + c * qk;
        const [vp, vq] = [v[p * size + k], v[q * size + k]];
        v[p * size + k] = c * vp - s * vq;
        v[q * size + k] = s * vp + c * vq;
      }
      a[p * size + q] = a[q * size + p] = 0;
    }
  }
  return changed;
}
