/** Points of many dimensions in two: principal components, and what makes pictures of several moments alike. */
import { assert } from '../../base/assert.ts';
import { Random } from '../../base/random.ts';

export interface Flat {
  /** [count, 2], centred, with a mean square distance of 1 from the centre. */
  points: Float32Array;
  /** Of the variance: the share along each of both axes. Of principal components only. */
  shares?: readonly [number, number];
}

const ITERATIONS = 60;

/**
 * The first two principal components (Pearson, 1901), by orthogonal iteration. A component's largest weight is positive,
 * so that the result does not depend on the start.
 * @param all [count, size]
 */
export function principalComponents(all: Float32Array, count: number): Flat {
  const size = all.length / count;
  assert(Number.isInteger(size) && count > 0, `${all.length} values of ${count} points`);
  const means = new Float64Array(size);
  for (let i = 0; i < all.length; i++) means[i % size] += all[i] / count;
  const centred = Float64Array.from(all, (value, i) => value - means[i % size]);
  const total = centred.reduce((sum, value) => sum + value * value, 0);
  const random = new Random(1, 'principal components');
  const axes = [0, 1].map(() => Float64Array.from({ length: size }, () => random.uint32() / 2 ** 32 - 0.5));
  const projections = [new Float64Array(count), new Float64Array(count)];
  const project = (axis: Float64Array, to: Float64Array) => {
    for (let i = 0; i < count; i++) {
      let sum = 0;
      for (let j = 0; j < size; j++) sum += centred[i * size + j] * axis[j];
      to[i] = sum;
    }
  };
  for (let iteration = 0; iteration < ITERATIONS; iteration++) {
    axes.forEach((axis, a) => {
      project(axis, projections[a]);
      axis.fill(0);
      for (let i = 0; i < count; i++) {
        for (let j = 0; j < size; j++) axis[j] += projections[a][i] * centred[i * size + j];
      }
    });
    orthonormalise(axes);
  }
  for (const axis of axes) {
    const largest = axis.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a), 0);
    if (largest < 0) axis.forEach((value, j) => (axis[j] = -value));
  }
  axes.forEach((axis, a) => project(axis, projections[a]));
  const share = (values: Float64Array) =>
    total === 0 ? 0 : values.reduce((sum, value) => sum + value * value, 0) / total;
  const points = Float32Array.from({ length: 2 * count }, (_, i) => projections[i % 2][i >> 1]);
  return { points: normalised(points), shares: [share(projections[0]), share(projections[1])] };
}

/** Gram and Schmidt. An axis without length stays zero. */
function orthonormalise([first, second]: Float64Array[]): void {
  const unit = (axis: Float64Array) => {
    const length = Math.hypot(...axis);
    if (length > 0) axis.forEach((value, j) => (axis[j] = value / length));
  };
  unit(first);
  const along = first.reduce((sum, value, j) => sum + value * second[j], 0);
  second.forEach((value, j) => (second[j] = value - along * first[j]));
  unit(second);
}

/** Centred, with a mean square distance of 1 from the centre. @param points [count, 2] */
export function normalised(points: ArrayLike<number>): Float32Array {
  const count = points.length / 2;
  const centre = [0, 0];
  for (let i = 0; i < points.length; i++) centre[i % 2] += points[i] / count;
  let square = 0;
  for (let i = 0; i < points.length; i++) square += (points[i] - centre[i % 2]) ** 2 / count;
  const scale = square > 0 ? 1 / Math.sqrt(square) : 1;
  return Float32Array.from(points, (value, i) => (value - centre[i % 2]) * scale);
}

/**
 * Turns and mirrors points so that they lie as near as possible to others, one by one (Schönemann, "A generalized solution
 * of the orthogonal Procrustes problem", 1966).
 * @param points [count, 2], centred, as `like`
 */
export function aligned(points: Float32Array, like: Float32Array): Float32Array {
  // Sums of products: of x with x, x with y, and so on.
  let [xx, xy, yx, yy] = [0, 0, 0, 0];
  for (let i = 0; i < points.length; i += 2) {
    xx += points[i] * like[i];
    xy += points[i] * like[i + 1];
    yx += points[i + 1] * like[i];
    yy += points[i + 1] * like[i + 1];
  }
  // Of all turns the best one, and of all turns after mirroring y.
  const turned = Math.hypot(xx + yy, xy - yx);
  const mirrored = Math.hypot(xx - yy, xy + yx);
  const sign = mirrored > turned ? -1 : 1;
  const angle = Math.atan2(xy - sign * yx, xx + sign * yy);
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const result = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 2) {
    const [x, y] = [points[i], sign * points[i + 1]];
    result[i] = cos * x - sin * y;
    result[i + 1] = sin * x + cos * y;
  }
  return result;
}
