import { describe, expect, test } from 'vitest';
import { randomWords } from '../../../base/random-words.ts';
import { normals } from '../../testing/fixtures.ts';
import { gradcheck } from '../../testing/gradcheck.ts';
import { complete } from '../../testing/node.ts';
import { streamOf } from './drawing.ts';
import op from './index.ts';
import { dropoutBackward, dropoutFactors, dropoutForward } from './reference.ts';

test('the gradient agrees with central differences', () => {
  gradcheck(
    'dropout',
    normals(1, [40]).data,
    (x) => dropoutForward(x, 0.3, 5, 'drop'),
    (dy) => dropoutBackward(dy, 0.3, 5, 'drop'),
  );
});

describe('statistics', () => {
  const COUNT = 100_000;

  test.each([0.1, 0.25, 0.5, 0.8])('p = %f: so many are dropped, and the mean stays', (p) => {
    const factors = dropoutFactors(COUNT, p, 3, 'drop');
    const dropped = factors.filter((factor) => factor === 0).length;
    // Five standard deviations.
    expect(Math.abs(dropped - p * COUNT)).toBeLessThan(5 * Math.sqrt(COUNT * p * (1 - p)));
    const mean = factors.reduce((sum, factor) => sum + factor, 0) / COUNT;
    expect(Math.abs(mean - 1)).toBeLessThan(5 * Math.sqrt(p / (1 - p) / COUNT));
    expect(new Set(factors)).toEqual(new Set([0, 1 / (1 - p)]));
  });

  test('none or all', () => {
    expect(dropoutFactors(1000, 0, 3, 'drop').every((factor) => factor === 1)).toBe(true);
    expect(dropoutFactors(1000, 1, 3, 'drop').every((factor) => factor === 0)).toBe(true);
  });

  test('neighbours, steps and layers drop independently of each other', () => {
    const dropped = (seed: number, layer: string) =>
      dropoutFactors(COUNT, 0.5, seed, layer).map((factor) => (factor === 0 ? 1 : -1));
    const correlation = (a: Float64Array, b: Float64Array) =>
      a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0) / Math.sqrt(COUNT);
    const first = dropped(randomWords(1, 0, 1)[0], 'drop1');
    for (const other of [
      first.subarray(1),
      first.subarray(4),
      dropped(randomWords(1, 0, 2)[0], 'drop1'),
      dropped(randomWords(1, 0, 1)[0], 'drop2'),
    ])
      expect(Math.abs(correlation(first, other))).toBeLessThan(5);
  });
});

test('layers with different names have different streams', () => {
  // The published test vectors of FNV-1a.
  expect(streamOf('')).toBe(0x811c9dc5);
  expect(streamOf('a')).toBe(0xe40c292c);
  expect(streamOf('foobar')).toBe(0xbf9cf968);
});

test('refuses values that are not probabilities', () => {
  expect(complete(op)).toEqual({ p: 0.5 });
  expect(op.outputShape({ p: 1 }, [2])).toEqual([2]);
  for (const p of [-0.1, 1.1, NaN])
    expect(() => complete(op, { p })).toThrow(/^dropout: expected p to be a number from 0 to 1, found /);
});
