import { expect, test } from 'vitest';
import type { TrainingConfig } from './config.ts';
import { cleanSupply, tiny, trainedRun } from './testing/tiny-run.ts';

const supply = cleanSupply();

async function finished(change: Partial<TrainingConfig>) {
  const { record, parameters } = await trainedRun(tiny({ lastStep: 12, ...change }), supply);
  return { losses: record.losses, parameters, rows: record.rows };
}

test.each([undefined, 1e-3])(
  'steps measure on request, which changes no bit; clipping to %s',
  async (clipNorm) => {
    const [measuring, plain] = [
      await finished({ clipNorm, measures: true }),
      await finished({ clipNorm, measures: false }),
    ];
    expect(measuring.losses).toEqual(plain.losses);
    expect(measuring.parameters).toEqual(plain.parameters);
    const columns = ({ rows: [row] }: typeof plain) => Object.keys(row);
    const added = columns(measuring).filter((column) => !columns(plain).includes(column));
    expect(added).toEqual(['gradientNorm', 'updateRatio.conv', 'updateRatio.fc']);
  },
);

test('norms of gradients are those before clipping; ratios of updates to weights are per layer', async () => {
  const { rows } = await finished({ clipNorm: 1e-3, measures: true });
  const norms = rows.map(({ gradientNorm }) => gradientNorm);
  expect(new Set(norms).size).toBe(12);
  for (const norm of norms) expect(norm).toBeGreaterThan(1e-3);
  for (const row of (await finished({ measures: true })).rows) {
    for (const layer of ['conv', 'fc']) {
      expect(row[`updateRatio.${layer}`]).toBeGreaterThan(1e-3);
      expect(row[`updateRatio.${layer}`]).toBeLessThan(1);
    }
  }
});
