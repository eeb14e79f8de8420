import { expect, test } from 'vitest';
import { recorded, residual, cleanSupply, tiny } from '../../train/testing/tiny-run.ts';
import { foldReport } from './fold.ts';

const supply = cleanSupply();

test('a folded model predicts the same, and its run resumes', async () => {
  const { run, record } = recorded(tiny({ model: residual, lastStep: 3 }), supply);
  await run.stepOnce();
  const report = await foldReport(run);
  expect(report).toMatchObject({ step: 1, layers: 2 });
  expect(report.difference).toBeLessThan(1e-5);
  for (const ms of [report.plainMs, report.foldedMs]) expect(ms).toBeGreaterThan(0);
  run.train();
  await run.settled();
  expect(record.losses).toHaveLength(3);
  await run.close();
});
