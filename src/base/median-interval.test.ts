import { expect, test } from 'vitest';
import { medianInterval, ratioInterval } from './median-interval.ts';
import { Random } from './random.ts';

const upTo = (n: number) => Array.from({ length: n }, (_, i) => i + 1);

// As tabulated for order statistics: https://en.wikipedia.org/wiki/Order_statistic
test.each([
  [6, [1, 6]],
  [8, [1, 8]],
  [9, [2, 8]],
  [10, [2, 9]],
  [15, [4, 12]],
  [20, [6, 15]],
])('of %s samples, between these places', (n, places) => {
  expect(medianInterval(upTo(n).toReversed())).toEqual(places);
});

test('few samples: beyond their extremes', () => {
  expect(medianInterval([4])).toEqual([3.2, 5]);
  expect(medianInterval([5, 4, 8])).toEqual([3.2, 10]);
});

test('it contains the median of what is sampled in 95 % of cases', () => {
  const random = new Random(1, 'median interval');
  let inside = 0;
  for (let i = 0; i < 2000; i++) {
    // Skewed, as times are.
    const [low, high] = medianInterval(Array.from({ length: 12 }, () => Math.exp(random.normal(0, 1))));
    if (low <= 1 && high >= 1) inside++;
  }
  expect(inside / 2000).toBeGreaterThan(0.94);
});

test('a ratio', () => {
  expect(ratioInterval([2, 3], [4, 5])).toEqual([0.4, 0.75]);
});
