import { cos } from '../../../../../base/portable-math.ts';

/**
 * e^(-2 pi i n / length) for n < length, as pairs of float32: a table for kernels. Computed in float64; exact if the
 * parts are 0, 1 or -1.
 * @param length a multiple of 8
 */
export function rootsOfUnity(length: number): Float32Array<ArrayBuffer> {
  const eighth = length / 8;
  const cosine = (n: number): number => {
    // Only angles up to a quarter of the circle are computed; the others follow by symmetry.
    const m = n % length;
    if (m > 4 * eighth) return cosine(length - m);
    if (m > 2 * eighth) return -cosine(4 * eighth - m);
    if (m === 2 * eighth) return 0;
    return cos(((2 * Math.PI) / length) * m);
  };
  const roots = new Float32Array(2 * length);
  for (let n = 0; n < length; n++) {
    roots[2 * n] = cosine(n);
    roots[2 * n + 1] = cosine(n + 2 * eighth); // -sin is cos a quarter further
  }
  return roots;
}
