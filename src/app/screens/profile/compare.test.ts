import { expect, test } from 'vitest';
import { differencesOf } from './compare.ts';
import { profile } from './testing.ts';

test('kernels are matched by their names, the largest change first', () => {
  const [first, second, ...rest] = profile.kernels;
  const slower = { ...first, time: { ...first.time, median: 40, p10: 39, p90: 41 } };
  const same = { ...second, time: { ...second.time, p90: 2.2 } };
  const twice = { ...second, time: { ...second.time, median: 30 } };
  const now = { kernels: [slower, same, twice, ...rest.slice(1)] };
  const [a, b, c, ...others] = differencesOf(now, profile);
  expect(a).toEqual({ kernel: 'kernel0', now: 40, before: 1, change: 39, isNoise: false });
  expect(b).toMatchObject({ kernel: 'kernel1 (2)', now: 30, before: undefined, change: 30 });
  expect(c).toMatchObject({ kernel: 'kernel2', now: undefined, before: 3, change: -3, isNoise: false });
  expect(others.every(({ change, isNoise }) => change === 0 && isNoise)).toBe(true);
});
