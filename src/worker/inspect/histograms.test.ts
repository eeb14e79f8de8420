import { expect, test } from 'vitest';
import { BINS, binOf } from '../../engine/histograms.ts';
import { countOf, MAX_RECORDS, momentsOf, withRecord } from '../../run/metrics/histograms.ts';
import { evenly } from './histograms.ts';

function raw(values: readonly number[], scale = 1) {
  const counts = new Uint32Array(BINS);
  for (const value of values) counts[binOf(value)]++;
  return evenly({ kind: 'weights', layer: 'conv', counts, scale });
}

test('even bins keep the number of values, their mean and their deviation', () => {
  const values = Array.from({ length: 20_000 }, (_, i) => Math.sin(i) * Math.cos(3.7 * i) - 0.2);
  const found = raw(values);
  expect(countOf(found)).toBe(20_000);
  const mean = values.reduce((a, b) => a + b) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  expect(momentsOf(found).mean).toBeCloseTo(mean, 2);
  expect(momentsOf(found).deviation).toBeCloseTo(Math.sqrt(variance), 2);
  // The ends are those of the kernel's outermost bins, at most a sixteenth too far.
  expect(found.low).toBeLessThanOrEqual(Math.min(...values));
  expect(found.low).toBeGreaterThan(1.07 * Math.min(...values));
});

test('zeros and broken values are counted apart, and the loss scale is divided out', () => {
  expect(raw([0, 0, NaN, 1, -1])).toMatchObject({ zeros: 2, broken: 1, low: -1.0625, high: 1.0625 });
  expect(raw([1024, -1024], 1024)).toMatchObject({ low: -1.0625, high: 1.0625 });
  expect(raw([0])).toMatchObject({ zeros: 1, low: 0, high: 0 });
});

test('many records become fewer, over the whole run', () => {
  let records: { step: number; histograms: [] }[] = [];
  for (let step = 1; step <= 1000; step++) records = withRecord(records, { step, histograms: [] }) as never;
  expect(records.length).toBeLessThanOrEqual(MAX_RECORDS);
  expect([records[0].step, records.at(-1)?.step]).toEqual([1, 1000]);
  // After a restart, what came later is gone.
  expect(withRecord(records, { step: 3, histograms: [] }).at(-1)?.step).toBe(3);
});
