import { expect, test } from 'vitest';
import { ticksOf } from './axis.ts';

test.each([
  [1, [0, 0.2, 0.4, 0.6, 0.8]],
  [47, [0, 10, 20, 30, 40]],
  [0.0011, [0, 0.0002, 0.0004, 0.0006, 0.0008, 0.001]],
  [260, [0, 50, 100, 150, 200]],
])('ticks along %s', (length, expected) => {
  const ticks = ticksOf(length);
  expect(ticks).toHaveLength(expected.length);
  ticks.forEach((tick, i) => expect(tick).toBeCloseTo(expected[i], 9));
});
