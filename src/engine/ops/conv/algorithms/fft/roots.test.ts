import { expect, test } from 'vitest';
import { fetchShaders, shaderSource } from '../../../../../gpu/sources.ts';
import { rootsOfUnity } from './roots.ts';

test.each([16, 32, 64, 128, 256])('%i roots of unity, rounded from exact ones', (length) => {
  const roots = rootsOfUnity(length);
  for (let n = 0; n < length; n++) {
    const angle = (2 * Math.PI * n) / length;
    // Half a unit in the last place, plus the rounding of pi in float64.
    expect(Math.abs(roots[2 * n] - Math.cos(angle))).toBeLessThan(2 ** -25 + 1e-15);
    expect(Math.abs(roots[2 * n + 1] + Math.sin(angle))).toBeLessThan(2 ** -25 + 1e-15);
  }
});

test('quarters of a turn are exact, and eighths are equal in both parts', () => {
  const roots = rootsOfUnity(8);
  const half = Math.fround(Math.SQRT1_2);
  const expected = [1, 0, half, -half, 0, -1, -half, -half, -1, 0, -half, half, 0, 1, half, half];
  expect([...roots].map((number) => number + 0)).toEqual(expected);
});

test('the table of the shaders holds the same roots', async () => {
  await fetchShaders();
  const table =
    /const ROOTS = array<vec2f, \d+>\(([^;]*)\);/.exec(shaderSource('conv/fft/points'))?.[1] ?? '';
  const numbers = [...table.matchAll(/vec2f\(([-\d.]+), ([-\d.]+)\)/g)].flatMap(([, x, y]) => [+x, +y]);
  expect(numbers).toHaveLength(48);
  const expected = [...rootsOfUnity(32).subarray(0, 48)];
  expect(numbers.map(Math.fround)).toEqual(expected.map((number) => number + 0));
});
