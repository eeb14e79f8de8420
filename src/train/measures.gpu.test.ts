import { expect, test } from 'vitest';
import { OPTIONAL_METRICS, type OptionalMetric } from '../run/metrics/table.ts';
import { cleanSupply, tiny, trainedRun } from './testing/tiny-run.ts';

const supply = cleanSupply();

test('gradient norms are reported per step on request, before clipping, and change no bit', async () => {
  const finished = async (measures: readonly OptionalMetric[]) => {
    const { record } = await trainedRun(tiny({ lastStep: 12, clipNorm: 1e-3, measures }), supply);
    return { losses: record.losses, norms: record.rows.map(({ gradientNorm }) => gradientNorm) };
  };
  const [reported, plain] = [await finished(['gradientNorm']), await finished([])];
  expect(reported.losses).toEqual(plain.losses);
  expect(plain.norms).toEqual(Array.from({ length: 12 }));
  expect(reported.norms).toHaveLength(12);
  for (const norm of reported.norms) expect(norm).toBeGreaterThan(1e-3);
  expect(new Set(reported.norms).size).toBe(12);
});

test('ratios of updates to weights are reported per layer, and change no bit', async () => {
  const finished = async (measures: readonly OptionalMetric[]) => {
    const { record, parameters } = await trainedRun(tiny({ lastStep: 12, measures }), supply);
    return { losses: record.losses, parameters, rows: record.rows };
  };
  const [measured, plain] = [await finished(OPTIONAL_METRICS), await finished([])];
  expect(measured.losses).toEqual(plain.losses);
  expect(measured.parameters).toEqual(plain.parameters);
  for (const row of measured.rows) {
    for (const layer of ['conv', 'fc']) {
      expect(row[`updateRatio.${layer}`]).toBeGreaterThan(1e-3);
      expect(row[`updateRatio.${layer}`]).toBeLessThan(1);
    }
  }
  expect(Object.keys(plain.rows[0]).some((column) => column.includes('.'))).toBe(false);
});
