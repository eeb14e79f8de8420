import { expect, test } from 'vitest';
import { Random } from '../../base/random.ts';
import { aligned, normalised, principalComponents } from './flatten-points.ts';

const random = new Random(4);
const number = () => random.uint32() / 2 ** 32 - 0.5;

test('principal components are the directions of the largest variance', () => {
  const count = 400;
  // Along two orthogonal directions in five dimensions, with variances 9 to 4, and a little noise.
  const [u, v] = [
    [0.6, 0.8, 0, 0, 0],
    [0, 0, 0, 0.6, -0.8],
  ];
  const parts = Array.from({ length: count }, () => [3 * number(), 2 * number()]);
  const all = Float32Array.from({ length: 5 * count }, (_, i) => {
    const [a, b] = parts[Math.floor(i / 5)];
    return 7 + a * u[i % 5] + b * v[i % 5] + 0.01 * number();
  });
  const { points, shares } = principalComponents(all, count);
  const [first, second] = shares!;
  expect(first / second).toBeGreaterThan(1.8);
  expect(first + second).toBeGreaterThan(0.999);
  // Each point lies where its parts say, up to scale and sign.
  const correlation = (axis: 0 | 1, part: 0 | 1) => {
    let [sum, left, right] = [0, 0, 0];
    const mean = parts.reduce((total, one) => total + one[part], 0) / count;
    parts.forEach((one, i) => {
      sum += points[2 * i + axis] * (one[part] - mean);
      left += points[2 * i + axis] ** 2;
      right += (one[part] - mean) ** 2;
    });
    return Math.abs(sum) / Math.sqrt(left * right);
  };
  expect(correlation(0, 0)).toBeGreaterThan(0.99);
  expect(correlation(1, 1)).toBeGreaterThan(0.99);
  expect(points.reduce((sum, value) => sum + value * value, 0) / count).toBeCloseTo(1, 4);
  expect(principalComponents(all, count).points).toEqual(points);
});

test('equal points lie in the centre', () => {
  expect([...principalComponents(new Float32Array(12).fill(3), 4).points]).toEqual(new Array(8).fill(0));
});

test.each([1, -1])('what was turned and mirrored (%i) comes back', (sign) => {
  const like = normalised(Array.from({ length: 60 }, number));
  const [cos, sin] = [Math.cos(2), Math.sin(2)];
  const moved = like.map((_, i) => {
    const at = i - (i % 2);
    const [x, y] = [like[at], sign * like[at + 1]];
    return i % 2 === 0 ? cos * x - sin * y : sin * x + cos * y;
  });
  aligned(moved, like).forEach((value, i) => expect(value).toBeCloseTo(like[i], 5));
});
