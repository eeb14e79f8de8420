import { expect, test } from 'vitest';
import { growth, trend } from './trend.mjs';

const noise = (at) => Math.sin(at * at * 37) * 10;
const points = (of) => Array.from({ length: 60 }, (_, at) => [at / 2, of(at / 2)]);

test('a line is found with its error', () => {
  expect(trend(points((minute) => 7 + 2 * minute))).toEqual({
    slope: expect.closeTo(2, 9),
    error: expect.closeTo(0, 6),
  });
  const { slope, error } = trend(points((minute) => 100 + noise(minute)));
  expect(Math.abs(slope)).toBeLessThan(3 * error);
});

test('growth is distinguished from noise, and from growth that does not matter', () => {
  const grew = (of) => growth('MiB', points(of)).grew;
  expect(grew((minute) => 100 + noise(minute))).toBe(false);
  expect(grew((minute) => 100 + minute + noise(minute))).toBe(true);
  expect(grew((minute) => 100 + minute / 20)).toBe(false);
  expect(
    growth(
      'MiB',
      points(() => 3),
    ).text,
  ).toBe('MiB: 3.0 to 3.0, slope 0.000 ± 0.000 per minute, n 60');
});
