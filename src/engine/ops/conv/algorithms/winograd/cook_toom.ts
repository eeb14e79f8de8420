/**
 * Winograd's minimal filtering by the Cook-Toom construction: F(m, r) computes m outputs of a filter g of r values from
 * m + r - 1 inputs d, with m + r - 1 multiplications, as AT ((G g) * (BT d)). It is the transpose of multiplying
 * polynomials by their values at points, infinity being one of them. Lavin and Gray, "Fast Algorithms for Convolutional
 * Neural Networks", https://arxiv.org/abs/1509.09308; Blahut, "Fast Algorithms for Signal Processing", chapter 5.
 */
import { ONE, over, polynomial, power, rational, times, ZERO, type Rational } from './rational.ts';

/** One of the four algorithms: F(M x M, R x R), computed as F(M, R) along rows and columns. */
export interface Variant {
  readonly name: string;
  /** Outputs of a tile, vertically and horizontally. */
  readonly M: number;
  /** The filter's size. */
  readonly R: number;
  /** Positive points, in increasing order: the others are their negatives, 0 and infinity. */
  readonly points: readonly Rational[];
  /** The most tiles in a running sum of wgrad: longer sums lose accuracy, and slices cost time. */
  readonly longestSum: number;
}

/**
 * The points with the smallest float32 errors in fprop and wgrad together, of all sets from twenty fractions between
 * 1/4 and 3: transforms.test.ts has the errors. The usual points 0, 1, 2 of F(4, 3) double them.
 */
export const F2X3: Variant = { name: 'winograd_f2x3', M: 2, R: 3, points: [rational(1)], longestSum: 256 };

export const F4X3: Variant = {
  name: 'winograd_f4x3',
  M: 4,
  R: 3,
  points: [rational(2, 3), rational(3, 2)],
  longestSum: 1024,
};

export const F2X5: Variant = {
  name: 'winograd_f2x5',
  M: 2,
  R: 5,
  points: [rational(2, 3), rational(3, 2)],
  longestSum: 512,
};

export const F4X5: Variant = {
  name: 'winograd_f4x5',
  M: 4,
  R: 5,
  points: [rational(1, 2), rational(1), rational(2)],
  longestSum: 256,
};

export const VARIANTS: readonly Variant[] = [F2X3, F4X3, F2X5, F4X5];

/** The length of a tile of input: the positions at which products are taken. */
export const tileSize = ({ M, R }: Pick<Variant, 'M' | 'R'>): number => M + R - 1;

/** 0, then each point and its negative. Infinity follows. */
const finitePoints = ({ points }: Variant): Rational[] => [
  ZERO,
  ...points.flatMap((point) => [point, times(rational(-1), point)]),
];

export type Matrix = readonly (readonly Rational[])[];

/**
 * The three matrices of F(outputs, filter), for the points of `variant`. All fractions are in G; the first value of BT
 * is positive. BT depends on the points alone, so that F(M, R) and F(R, M), which is its weight gradient, share it.
 */
export function cookToom(
  variant: Variant,
  outputs: number,
  filter: number,
): { AT: Matrix; G: Matrix; BT: Matrix } {
  const points = finitePoints(variant);
  const size = points.length + 1;
  const others = (j: number) => points.filter((_, k) => k !== j);
  // The point 0 comes first; its polynomial starts with the product of all other points, of either sign.
  const sign = (j: number) => (j === 0 && polynomial(others(0))[0].numerator < 0n ? rational(-1) : ONE);
  const scale = (j: number) =>
    over(
      sign(j),
      others(j).reduce((product, other) => times(product, minusOf(points[j], other)), ONE),
    );
  const unit = (length: number, at: number) => Array.from({ length }, (_, i) => (i === at ? ONE : ZERO));
  const powers = (length: number, point: Rational) => Array.from({ length }, (_, i) => power(point, i));
  return {
    AT: Array.from({ length: outputs }, (_, i) => [
      ...points.map((point) => power(point, i)),
      i === outputs - 1 ? ONE : ZERO,
    ]),
    G: [
      ...points.map((point, j) => powers(filter, point).map((p) => times(p, scale(j)))),
      unit(filter, filter - 1),
    ],
    BT: [
      ...points.map((_, j) => [...polynomial(others(j)).map((c) => times(c, sign(j))), ZERO]),
      polynomial(points),
    ].map((row) => row.slice(0, size)),
  };
}

const minusOf = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator);
