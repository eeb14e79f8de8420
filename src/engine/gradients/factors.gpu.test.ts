import { describe, expect, test } from 'vitest';
import { expectClose, expectExact } from '../testing/check.ts';
import { integers, normals } from '../testing/fixtures.ts';
import { runPlan } from '../testing/gpu.ts';
import { clipGradients } from './index.ts';
import { clipped } from './reference.ts';

async function run(data: Float32Array<ArrayBuffer>, largest: number): Promise<Float32Array> {
  const { gradients } = await runPlan({
    inputs: {},
    outputs: { gradients: { shape: [data.length], data } },
    build: (plan, t) => clipGradients(plan, t.gradients, largest),
  });
  return gradients;
}

/** One part, a few, and more gradients than parts can be of the least length. */
describe.each([1, 64, 1001, 4096, 70_001, 2_200_000])('%i gradients', (count) => {
  const { data } = normals(count, [count]);
  const norm = Math.sqrt(data.reduce((sum, value) => sum + value * value, 0));

  test('above the norm are scaled down to it', async () => {
    const found = await run(data, norm / 3);
    expectClose('gradients', found, clipped(data, norm / 3), 1e-6);
    const after = Math.sqrt(found.reduce((sum, value) => sum + value * value, 0));
    expect(Math.abs(after / (norm / 3) - 1)).toBeLessThan(5e-6);
  });

  test('below it stay as they are, to the bit', async () => {
    expectExact('gradients', await run(data, 1.01 * norm + 0.01), data);
  });
});

test('the sum takes every gradient once', async () => {
  // Whole numbers: the sum of squares is exact, so the factor is too but for its own rounding.
  const { data } = integers(3, [5000]);
  const norm = Math.sqrt(data.reduce((sum, value) => sum + value * value, 0));
  expectClose('gradients', await run(data, norm / 7), clipped(data, norm / 7), 2e-7);
});

test('zeros stay zeros', async () => {
  expectExact('gradients', await run(new Float32Array(100), 1), new Float32Array(100));
});

test('NaN is not hidden', async () => {
  const found = await run(Float32Array.of(1, NaN, 2), 1);
  expect([...found]).toEqual([NaN, NaN, NaN]);
});

test.each([0, -1, NaN, Infinity])('a norm of %d is refused', async (largest) => {
  await expect(run(new Float32Array(3), largest)).rejects.toThrow(/above 0, found/);
});
