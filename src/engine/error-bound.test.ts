import { expect, test } from 'vitest';
import { Random } from '../base/random.ts';
import { errorBound, uniformSize } from './error-bound.ts';

const uniform = (random: Random) => 2 * random.uniform() - 1;

/** A sum of products of numbers that are uniform on [-1, 1): in float64, and one after the other in float32. */
function sums(random: Random, terms: number) {
  let [exact, rounded, size] = [0, 0, 0];
  for (let i = 0; i < terms; i++) {
    const product = Math.fround(uniform(random)) * Math.fround(uniform(random));
    exact += product;
    rounded = Math.fround(rounded + Math.fround(product));
    size += Math.abs(product);
  }
  return { exact, rounded, size };
}

test.each([
  [1, 20000],
  [9, 20000],
  [576, 2000],
  [2304, 1000],
  [50176, 60],
  [401408, 8],
])('sums of %i terms are within the bound, and a missing term is not', (terms, count) => {
  const random = new Random(1, `sums of ${terms}`);
  const bound = errorBound({ terms }, uniformSize(terms), count);
  for (let i = 0; i < count; i++) {
    const { exact, rounded, size } = sums(random, terms);
    expect(size).toBeLessThanOrEqual(uniformSize(terms));
    expect(Math.abs(rounded - exact)).toBeLessThanOrEqual(bound);
  }
  // The mean of a term's absolute value is a quarter.
  expect(bound).toBeLessThan(0.25);
});
