import { expect, test } from 'vitest';
import { wilsonInterval } from './wilson.ts';

// From R: prop.test(x, n, correct = FALSE)$conf.int
test.each([
  [11, 12, 0.6461, 0.9851],
  [12, 12, 0.7575, 1],
  [0, 10, 0, 0.2775],
  [980, 1000, 0.9693, 0.987],
])('%d of %d', (right, count, low, high) => {
  const interval = wilsonInterval(right / count, count);
  expect(interval[0]).toBeCloseTo(low, 3);
  expect(interval[1]).toBeCloseTo(high, 3);
});
