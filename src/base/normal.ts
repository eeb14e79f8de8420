/** The standard normal distribution in float64. */

/** Terms for 1e-15: of the series below 3, of the fraction from there on. */
const TERMS = 100;

export const normalDensity = (x: number): number => Math.exp(-0.5 * x * x) / Math.sqrt(2 * Math.PI);

/**
 * The probability to be below x, with a small relative error also where it is small. For |x| < 3 the series x + x^3/3 +
 * x^5/(3*5) + ..., whose terms all have one sign; otherwise Laplace's continued fraction for the tail, 1 / (a + 1 / (a
 * + 2 / (a + 3 / ...))). Both are multiplied by the density. Source: Abramowitz and Stegun, 26.2.11 and 26.2.14.
 */
export function normalCdf(x: number): number {
  if (Math.abs(x) < 3) {
    let term = x;
    let sum = x;
    for (let n = 1; n < TERMS; n++) {
      term *= (x * x) / (2 * n + 1);
      sum += term;
    }
    return 0.5 + normalDensity(x) * sum;
  }
  const a = Math.abs(x);
  let fraction = a;
  for (let n = TERMS; n >= 1; n--) fraction = a + n / fraction;
  const tail = normalDensity(x) / fraction;
  // Not `x < 0`: NaN must stay NaN.
  return x > 0 ? 1 - tail : tail;
}
