import { describe, expect, test } from 'vitest';
import {
  cookToom,
  F2X3,
  F2X5,
  F4X3,
  F4X5,
  tileSize,
  VARIANTS,
  type Matrix,
  type Variant,
} from './cook_toom.ts';
import { equal, ONE, plus, rational, times, toNumber, ZERO, type Rational } from './rational.ts';
import { apply, transforms, transformsFile, type Transform } from './transforms.ts';
import { Random } from '../../../../../base/random.ts';

const sumOf = (numbers: readonly Rational[]) => numbers.reduce(plus, ZERO);
const product = (matrix: Matrix, vector: readonly Rational[]) =>
  matrix.map((row) => sumOf(row.map((factor, i) => times(factor, vector[i]))));
const unit = (length: number, at: number) => Array.from({ length }, (_, i) => (i === at ? ONE : ZERO));

/** The exact matrix of a transform, from its results for unit vectors. */
function matrixOf(transform: Transform): Matrix {
  const columns = Array.from({ length: transform.length }, (_, i) =>
    apply(transform, unit(transform.length, i), (terms) =>
      sumOf(terms.map(({ factor, of }) => times(factor, of))),
    ),
  );
  return columns[0].map((_, row) => columns.map((column) => column[row]));
}

describe.each(VARIANTS)('$name', (variant) => {
  const { M, R } = variant;
  const T = tileSize(variant);

  test.each([
    [M, R],
    [R, M],
  ])('Cook-Toom F(%d, %d) is correlation, exactly', (outputs, filter) => {
    const { AT, G, BT } = cookToom(variant, outputs, filter);
    // Both are linear in d and in g, so unit vectors suffice.
    for (let at = 0; at < T; at++) {
      for (let tap = 0; tap < filter; tap++) {
        const [v, u] = [product(BT, unit(T, at)), product(G, unit(filter, tap))];
        const y = product(
          AT,
          v.map((number, i) => times(number, u[i])),
        );
        expect(y.map(toNumber)).toEqual(Array.from({ length: outputs }, (_, i) => (i + tap === at ? 1 : 0)));
      }
    }
  });

  test('straight-line code equals the matrices, exactly', () => {
    const forward = cookToom(variant, M, R);
    const gradient = cookToom(variant, R, M);
    const expected = [forward.BT, forward.G, forward.AT, gradient.G, gradient.AT];
    const found = transforms(variant).map(matrixOf);
    expect(found.map((matrix) => matrix.map((row) => row.map(toNumber)))).toEqual(
      expected.map((matrix) => matrix.map((row) => row.map(toNumber))),
    );
    expect(found.flat(2).every((number, i) => equal(number, (expected.flat(2) as Rational[])[i]))).toBe(true);
    expect(gradient.BT).toEqual(forward.BT);
  });
});

test('a transform as WGSL', () => {
  expect(transformsFile(F4X3)).toContain(`
// AT v: outputs of a tile from its products.
fn output_transform(v: array<f32, 6>) -> array<f32, 4> {
  let sum_1 = v[1] + v[2];
  let difference_1 = v[1] - v[2];
  let sum_2 = v[3] + v[4];
  let difference_2 = v[3] - v[4];
  return array<f32, 4>(
    v[0] + sum_1 + sum_2,
    (2.0 / 3.0) * difference_1 + 1.5 * difference_2,
    (4.0 / 9.0) * sum_1 + 2.25 * sum_2,
    (8.0 / 27.0) * difference_1 + 3.375 * difference_2 + v[5],
  );
}
`);
});

const round = Math.fround;

/** Sums as in float32 hardware, with fused multiply-add. */
const sum32 = (terms: readonly { factor: Rational; of: number }[]) =>
  terms.reduce((sum, { factor, of }) => round(round(toNumber(factor)) * of + sum), 0);

/** A transform along columns, then along rows, of a square matrix. */
function twice(transform: Transform, numbers: readonly number[]): number[] {
  const { length } = transform;
  const columns = Array.from({ length }, (_, j) =>
    apply(
      transform,
      Array.from({ length }, (_unused, i) => numbers[i * length + j]),
      sum32,
    ),
  );
  return columns[0].flatMap((_, i) =>
    apply(
      transform,
      columns.map((column) => column[i]),
      sum32,
    ),
  );
}

/** Root mean square error, relative, of correlating tiles in float32 and summing over `channels`. */
function error32(variant: Variant, direction: 'fprop' | 'wgrad', channels = 32, trials = 12): number {
  const [input, filter, output, gradient, weight] = transforms(variant);
  const T = tileSize(variant);
  const [spread, gather] = direction === 'fprop' ? [filter, output] : [gradient, weight];
  const [taps, results] = [spread.length, gather.results.length];
  const random = new Random(1, variant.name);
  let [errors, squares] = [0, 0];
  for (let trial = 0; trial < trials; trial++) {
    const sums = new Float32Array(T * T);
    const exact = new Float64Array(results * results);
    for (let c = 0; c < channels; c++) {
      const d = Array.from({ length: T * T }, () => round(Math.max(0, random.normal())));
      const g = Array.from({ length: taps * taps }, () => round(random.normal()));
      const [v, u] = [twice(input, d), twice(spread, g)];
      for (let i = 0; i < T * T; i++) sums[i] += u[i] * v[i];
      for (let i = 0; i < results * results; i++) {
        for (let j = 0; j < taps * taps; j++) {
          const row = Math.floor(i / results) + Math.floor(j / taps);
          exact[i] += d[row * T + (i % results) + (j % taps)] * g[j];
        }
      }
    }
    twice(gather, [...sums]).forEach((y, i) => {
      errors += (y - exact[i]) ** 2;
      squares += exact[i] ** 2;
    });
  }
  return Math.sqrt(errors / squares);
}

/** Measured here, with a margin of a half; a running sum of the products themselves has about 2e-7. */
test.each([
  { variant: F2X3, fprop: 3e-7, wgrad: 3e-7 },
  { variant: F4X3, fprop: 7e-7, wgrad: 7e-7 },
  { variant: F2X5, fprop: 9e-7, wgrad: 7e-7 },
  { variant: F4X5, fprop: 3e-6, wgrad: 3e-6 },
])('errors in float32: $variant.name', ({ variant, fprop, wgrad }) => {
  expect(error32(variant, 'fprop')).toBeLessThan(fprop);
  expect(error32(variant, 'wgrad')).toBeLessThan(wgrad);
});

test('the points 1 and 2 are worse', () => {
  const usual = { ...F4X3, points: [rational(1), rational(2)] };
  expect(error32(usual, 'fprop')).toBeGreaterThan(1.5 * error32(F4X3, 'fprop'));
});
