import { expect, test } from 'vitest';
import { familiarOf, joined, strangeness } from './familiar.ts';
import { Random } from './random.ts';

const VALUES = 40;
/** Two classes at 5 and -5 of the first value, which vary widely along the second and little along the others. */
function sample(random: Random, label: number): Float32Array {
  const noise = () => random.uniform(-1, 1) + random.uniform(-1, 1);
  return Float32Array.from({ length: VALUES }, (_, i) =>
    i === 0 ? (label === 0 ? 5 : -5) + 0.1 * noise() : (i === 1 ? 3 : 0.1) * noise(),
  );
}
const samples = (seed: number, count: number) => {
  const random = new Random(seed, 'samples');
  const labels = Array.from({ length: count }, (_, i) => i % 2);
  return { labels, vectors: labels.map((label) => sample(random, label)) };
};

test('vectors like the known ones are familiar, others are not, whichever way classes vary', () => {
  const { vectors, labels } = samples(1, 800);
  const familiar = familiarOf(vectors, labels, 0.97);
  const strange = (one: Float32Array) => strangeness(familiar, one) > 1;
  const others = samples(2, 800).vectors;
  const share = others.filter(strange).length / others.length;
  expect(share).toBeGreaterThan(0.005);
  expect(share).toBeLessThan(0.08);
  const moved = (at: number, by: number) =>
    others.slice(0, 50).map((one) => one.map((value, i) => (i === at ? value + by : value)));
  // Along the second value classes vary by more than this.
  expect(moved(1, 1.5).filter(strange).length).toBeLessThan(15);
  expect(moved(20, 1.5).every(strange)).toBe(true);
  // Between the classes.
  expect(moved(0, 5).filter(strange).length).toBeGreaterThan(20);
  expect(familiarOf(vectors, labels, 0.97)).toEqual(familiar);
});

test('the distance is that of its definition', () => {
  // One class at (1, 0, 0); the second value has variance 4, the others 0.25.
  const familiar = { means: [1, 0, 0], variances: [0.25, 4, 0.25] };
  expect(strangeness(familiar, [1, 2, 0])).toBeCloseTo(1, 12);
  expect(strangeness(familiar, [1.5, 4, -1])).toBeCloseTo(4 + 1 + 4, 12);
  // The nearest of several.
  const two = { means: [1, 0, 0, -1, 0, 0], variances: [0.25, 4, 0.25, 0.25, 4, 0.25] };
  expect(strangeness(two, [-1.5, 0, 0])).toBeCloseTo(1, 12);
});

test('classes whose vectors are all the same have a limit too', () => {
  const vectors = Array.from({ length: 16 }, (_, i) => Float32Array.of(i % 2, 0, 1));
  const familiar = familiarOf(
    vectors,
    vectors.map((_, i) => i % 2),
    0.97,
  );
  expect(strangeness(familiar, Float32Array.of(0, 5, 1))).toBeGreaterThan(1);
});

test('parts are joined at length 1 each; one of zeros stays', () => {
  expect([...joined([[3, 4], [0, 0], [5]])]).toEqual([0.6, 0.8, 0, 0, 1].map(Math.fround));
});
