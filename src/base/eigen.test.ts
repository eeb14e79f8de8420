import { expect, test } from 'vitest';
import { symmetricEigen } from './eigen.ts';
import { Random } from './random.ts';

test('of a matrix that can be solved by hand', () => {
  const { values, vectors } = symmetricEigen(Float64Array.of(2, 1, 1, 2), 2);
  expect([...values]).toEqual([expect.closeTo(3, 14), expect.closeTo(1, 14)]);
  const half = Math.SQRT1_2;
  expect([...vectors[0]]).toEqual([expect.closeTo(half, 14), expect.closeTo(half, 14)]);
  expect(vectors[1][0] * vectors[1][1]).toBeCloseTo(-0.5, 14);
});

test.each([1, 2, 5, 27, 75])('%i rows: A v = value v, and vectors are orthonormal', (size) => {
  const random = new Random(size, 'matrix');
  const half = Float64Array.from({ length: size * size }, () => random.normal(0, 1));
  // Positive semidefinite, as covariances are, of rank size - 1 where that is possible.
  const rank = Math.max(1, size - 1);
  const matrix = Float64Array.from({ length: size * size }, (_, i) => {
    const [row, column] = [Math.floor(i / size), i % size];
    return Array.from({ length: rank }, (__, k) => half[row * size + k] * half[column * size + k]).reduce(
      (a, b) => a + b,
    );
  });
  const { values, vectors } = symmetricEigen(matrix, size);
  const largest = values[0];
  for (let i = 0; i < size; i++) {
    if (i > 0) expect(values[i]).toBeLessThanOrEqual(values[i - 1]);
    for (let row = 0; row < size; row++) {
      const product = vectors[i].reduce((sum, value, k) => sum + matrix[row * size + k] * value, 0);
      expect(Math.abs(product - values[i] * vectors[i][row])).toBeLessThan(1e-13 * size * largest);
    }
    for (let j = 0; j <= i; j++) {
      const product = vectors[i].reduce((sum, value, k) => sum + value * vectors[j][k], 0);
      expect(Math.abs(product - (i === j ? 1 : 0))).toBeLessThan(1e-13 * size);
    }
  }
});

test('a matrix of zeros, and one that is diagonal', () => {
  expect([...symmetricEigen(new Float64Array(9), 3).values]).toEqual([0, 0, 0]);
  const { values, vectors } = symmetricEigen(Float64Array.of(1, 0, 0, 0, 4, 0, 0, 0, 2), 3);
  expect([...values]).toEqual([4, 2, 1]);
  expect([...vectors[0]]).toEqual([0, 1, 0]);
});
