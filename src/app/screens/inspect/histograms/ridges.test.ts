import { expect, test } from 'vitest';
import type { Histogram } from '../../../../run/metrics/histograms.ts';
import { densities, hill, momentsOfLayer, rangeOf, thinnedTo } from './ridges.ts';

const histogram = (low: number, high: number, counts: number[], layer = 'conv'): Histogram => ({
  kind: 'weights',
  layer,
  low,
  high,
  counts: Uint32Array.from(counts),
  zeros: 0,
  broken: 0,
});

test('densities of different ranges compare: every hill has the area of its share', () => {
  expect(densities(histogram(-1, 1, [10, 20, 30, 40, 0, 0, 0, 0]))).toEqual([0.4, 0.8, 1.2, 1.6, 0, 0, 0, 0]);
  expect(densities(histogram(0, 0, [0, 0]))).toEqual([]);
  // With eight values, sixty-four bins would be a comb.
  const few = densities(histogram(0, 64, [...new Array(63).fill(0), 8]));
  expect(few).toEqual([0, 0, 0, 0, 0, 0, 0, 1 / 8]);
});

test('a hill stands on its ground, between its ends', () => {
  const frame = { range: [-2, 2], width: 400, most: 1, height: 50 } as const;
  expect(hill(histogram(-1, 1, [0, 50, 50, 0, 0, 0, 0, 0]), 100, frame)).toBe(
    'M0 100H100.0L112.5 100.0L137.5 50.0L162.5 50.0L187.5 100.0L212.5 100.0L237.5 100.0L262.5 100.0L287.5 100.0L300.0 100H400',
  );
  expect(hill(histogram(0, 0, []), 100, frame)).toBe('M0 100H400');
});

test('one layer over time, on an axis that includes 0', () => {
  const records = [1, 2, 3].map((step) => ({
    step,
    histograms: [histogram(step, 2 * step, [1]), histogram(0, 1, [1], 'fc')],
  }));
  const moments = momentsOfLayer(records, 'weights', 'conv');
  expect(moments.map(({ step }) => step)).toEqual([1, 2, 3]);
  expect(rangeOf(moments)).toEqual([0, 6]);
  expect(momentsOfLayer(records, 'gradients', 'conv')).toEqual([]);
  expect(thinnedTo([1, 2, 3, 4, 5], 3)).toEqual([1, 3, 5]);
});
