import { expect, test } from 'vitest';
import { Random } from './random.ts';

/**
 * The numerical integral of x^(a-1) (1-x)^(a-1) over an interval, with x = sin^2: finite at both ends for a of at least
 * 1/2.
 */
function betaShare(alpha: number, from: number, to: number): number {
  const integral = (a: number, b: number) => {
    const steps = 2000;
    let sum = 0;
    for (let i = 0; i < steps; i++) {
      const t = a + ((b - a) * (i + 0.5)) / steps;
      sum += (Math.sin(t) * Math.cos(t)) ** (2 * alpha - 1);
    }
    return (sum * (b - a)) / steps;
  };
  const angle = (x: number) => Math.asin(Math.sqrt(x));
  return integral(angle(from), angle(to)) / integral(0, Math.PI / 2);
}

test.each([0.5, 1, 2, 7.5])('Beta(%d, %d): every tenth holds its share', (alpha) => {
  const random = new Random(4, 'beta');
  const draws = 20_000;
  const counts = new Array<number>(10).fill(0);
  for (let i = 0; i < draws; i++) counts[Math.min(9, Math.floor(10 * random.symmetricBeta(alpha)))]++;
  counts.forEach((count, i) => {
    const share = betaShare(alpha, i / 10, (i + 1) / 10);
    const spread = Math.sqrt(draws * share * (1 - share));
    expect(Math.abs(count - draws * share), `tenth ${i}`).toBeLessThan(4.5 * spread + 1);
  });
});

test.each([1e-4, 0.01, 0.1, 0.2, 0.4, 100])('Beta(%d, %d): mean and variance', (alpha) => {
  const random = new Random(5, 'beta');
  const draws = Array.from({ length: 40_000 }, () => random.symmetricBeta(alpha));
  expect(draws.every((value) => value >= 0 && value <= 1)).toBe(true);
  const mean = draws.reduce((a, b) => a + b, 0) / draws.length;
  const variance = draws.reduce((sum, value) => sum + (value - 0.5) ** 2, 0) / draws.length;
  const expected = 1 / (4 * (2 * alpha + 1));
  expect(Math.abs(mean - 0.5)).toBeLessThan(4.5 * Math.sqrt(expected / draws.length));
  expect(variance / expected).toBeGreaterThan(0.96);
  expect(variance / expected).toBeLessThan(1.04);
});
