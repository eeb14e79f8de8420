import { expect, test } from 'vitest';
import { shaderSource } from '../../../gpu/sources.ts';
import { normalCdf, normalDensity } from './normal.ts';

test.each([
  [0, 0.5],
  [-1, 0.15865525393145707],
  [-2, 0.022750131948179212],
  [-3, 0.0013498980316300933],
  [-6, 9.865876450376981e-10],
  [-10, 7.61985302416052e-24],
  [2, 0.9772498680518208],
])('the chance to be below %d', (x, expected) => {
  expect(Math.abs(normalCdf(x) / expected - 1)).toBeLessThan(1e-12);
});

test('both ways to compute it meet', () => {
  for (const x of [-3, 3]) {
    const step = normalCdf(x) - normalCdf(x - Math.sign(x) * 1e-9);
    expect(Math.abs(step - Math.sign(x) * 1e-9 * normalDensity(x))).toBeLessThan(1e-15);
  }
});

test('what is not finite', () => {
  expect([NaN, Infinity, -Infinity].map(normalCdf)).toEqual([NaN, 1, 0]);
});

/** What the shader's polynomial stands for. */
const factor = (u: number): number => {
  const a = (3 * (1 + u)) / (1 - u);
  return (a + 3) * normalCdf(-a) * Math.exp(0.5 * a * a);
};

/** Coefficients, lowest power first, of the polynomial through (x, y), by Newton's divided differences. */
function interpolate(x: readonly number[], y: readonly number[]): number[] {
  const differences = [...y];
  for (let order = 1; order < x.length; order++) {
    for (let i = x.length - 1; i >= order; i--)
      differences[i] = (differences[i] - differences[i - 1]) / (x[i] - x[i - order]);
  }
  let polynomial: number[] = [];
  for (let i = x.length - 1; i >= 0; i--) {
    // Times (u - x[i]), plus the difference.
    const shifted = [differences[i], ...polynomial];
    polynomial.forEach((coefficient, power) => (shifted[power] -= x[i] * coefficient));
    polynomial = shifted;
  }
  return polynomial;
}

test("the shader's polynomial made again", () => {
  const [, text] = /let p = ([^;]+);/.exec(shaderSource('gelu/normal')) ?? [];
  const found = (text.match(/-?0\.\d+/g) ?? []).map(Number);
  // Chebyshev's points from u = -1 (a = 0) to u = 1/2 (a = 9).
  const points = found.map((_, i) => 0.75 * Math.cos(((2 * i + 1) * Math.PI) / (2 * found.length)) - 0.25);
  const made = interpolate(points, points.map(factor));
  expect(found).toHaveLength(9);
  for (const [i, coefficient] of made.entries()) {
    expect(Math.abs(found[i] - coefficient), `power ${i}`).toBeLessThan(1e-8);
  }
  // And how good it is.
  for (let u = -1; u <= 0.5; u += 1e-4) {
    const value = found.reduceRight((sum, coefficient) => sum * u + coefficient, 0);
    expect(Math.abs(value / factor(u) - 1)).toBeLessThan(2e-8);
  }
});
