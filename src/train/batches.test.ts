import { describe, expect, test } from 'vitest';
import { BatchStream, mixWeight, stepSeed } from './batches.ts';

describe('the seed of a step', () => {
  test('follows from the run and the step; expected values', () => {
    expect([stepSeed(1, 0), stepSeed(1, 1), stepSeed(2, 0), stepSeed(1, 0)]).toEqual([
      1890282799, 1873342133, 3967107803, 1890282799,
    ]);
  });

  test('differs between the steps of a long run, and between runs with neighbouring seeds', () => {
    const seeds = [1, 2].flatMap((run) => Array.from({ length: 20_000 }, (_, step) => stepSeed(run, step)));
    // Of 40,000 words of 32 bits, 0.19 pairs are equal on average.
    expect(new Set(seeds).size).toBeGreaterThan(seeds.length - 4);
  });
});

test('weights of mixup follow from run and step, with distribution Beta(alpha, alpha)', () => {
  const weights = Array.from({ length: 4000 }, (_, step) => mixWeight(1, step, 0.2));
  expect(weights[17]).toBe(mixWeight(1, 17, 0.2));
  expect(weights[17]).not.toBe(mixWeight(2, 17, 0.2));
  expect(weights.every((weight) => weight >= 0 && weight <= 1 && Number.isInteger(65536 * weight))).toBe(
    true,
  );
  const mean = weights.reduce((a, b) => a + b, 0) / weights.length;
  const variance = weights.reduce((sum, weight) => sum + (weight - mean) ** 2, 0) / weights.length;
  expect(mean).toBeCloseTo(0.5, 1);
  expect(variance).toBeCloseTo(1 / (4 * 1.4), 1);
});

describe('the order of samples', () => {
  const orderOf = (stream: BatchStream, steps: number) =>
    Array.from({ length: steps }, (_, step) => [...stream.batch(step)]).flat();

  test('every epoch contains each sample once, in its own random order from the seed', () => {
    const samples = orderOf(new BatchStream(50, 8, 3, true), 25);
    const epochs = [0, 1, 2, 3].map((epoch) => samples.slice(50 * epoch, 50 * (epoch + 1)));
    const all = Array.from({ length: 50 }, (_, i) => i);
    for (const epoch of epochs) expect(epoch.toSorted((a, b) => a - b)).toEqual(all);
    expect(new Set([all, ...epochs].map(String)).size).toBe(5);
    expect(orderOf(new BatchStream(50, 8, 3, true), 25)).toEqual(samples);
    expect(orderOf(new BatchStream(50, 8, 4, true), 25)).not.toEqual(samples);
  });

  test('a batch does not depend on those before it, nor the order on the size of batches', () => {
    const samples = orderOf(new BatchStream(50, 8, 3, true), 25);
    expect([...new BatchStream(50, 8, 3, true).batch(17)]).toEqual(samples.slice(17 * 8, 18 * 8));
    expect(orderOf(new BatchStream(50, 20, 3, true), 10)).toEqual(samples);
  });

  test('every sample is equally likely to come first', () => {
    const counts = new Array<number>(10).fill(0);
    for (let seed = 0; seed < 5000; seed++) counts[new BatchStream(10, 1, seed, true).batch(0)[0]]++;
    // 500 each, with a standard deviation of 21.
    for (const count of counts) expect(Math.abs(count - 500)).toBeLessThan(95);
  });

  test('without shuffling they are in file order', () => {
    expect(orderOf(new BatchStream(5, 2, 3, false), 5)).toEqual([0, 1, 2, 3, 4, 0, 1, 2, 3, 4]);
  });
});
