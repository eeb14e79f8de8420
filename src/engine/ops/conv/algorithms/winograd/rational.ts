/** Exact fractions, for Winograd's matrices. */

/** In lowest terms, with a positive denominator. */
export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const divisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : divisor(b, a % b));

/** `numerator / denominator`, of integers. */
export function rational(numerator: number | bigint, denominator: number | bigint = 1): Rational {
  const [n, d] = [BigInt(numerator), BigInt(denominator)];
  if (d === 0n) throw new Error('wgrad bug: a fraction over 0');
  const common = divisor(n < 0n ? -n : n, d < 0n ? -d : d) * (d < 0n ? -1n : 1n);
  return { numerator: n / common, denominator: d / common };
}

export const ZERO = rational(0);
export const ONE = rational(1);

export const plus = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);

export const times = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.numerator, a.denominator * b.denominator);

export const minus = (a: Rational): Rational => rational(-a.numerator, a.denominator);

export const over = (a: Rational, b: Rational): Rational =>
  rational(a.numerator * b.denominator, a.denominator * b.numerator);

export const power = (a: Rational, exponent: number): Rational =>
  rational(a.numerator ** BigInt(exponent), a.denominator ** BigInt(exponent));

export const equal = (a: Rational, b: Rational): boolean =>
  a.numerator === b.numerator && a.denominator === b.denominator;

export const toNumber = ({ numerator, denominator }: Rational): number =>
  Number(numerator) / Number(denominator);

/** Coefficients of the product of (x - root), the constant one first. */
export function polynomial(roots: readonly Rational[]): Rational[] {
  let coefficients = [ONE];
  for (const root of roots) {
    const shifted = [ZERO, ...coefficients];
    coefficients = shifted.map((c, i) => plus(c, times(minus(root), coefficients[i] ?? ZERO)));
  }
  return coefficients;
}
