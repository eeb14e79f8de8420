import { expect, test } from 'vitest';
import { commonDivisor, spreadOf } from './timing.ts';

test('a clock that is rounded to 100 microseconds is detected', () => {
  const times = [1_700_000n, 1_700_000n, 2_100_000n, 3_000_000n];
  expect(times.reduce((tick, time) => commonDivisor(tick, time - times[0]), 0n)).toBe(100_000n);
  // Earlier times count too, and one that is not a multiple is enough.
  expect(commonDivisor(100_000n, -300_000n)).toBe(100_000n);
  expect(commonDivisor(100_000n, 512n)).toBe(32n);
  expect(commonDivisor(0n, 0n)).toBe(0n);
});

test('median and percentiles of samples in any order', () => {
  expect(spreadOf([5, 1, 3])).toEqual({ median: 3, p10: 1.4, p90: 4.6 });
});
