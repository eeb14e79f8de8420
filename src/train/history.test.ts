import { expect, test } from 'vitest';
import { withReport, type EpochReport } from './history.ts';

const report = (epoch: number, counts: number): EpochReport => ({
  step: 10 * epoch,
  epoch,
  trainLoss: 1,
  loss: 1,
  accuracy: 0.5,
  confusion: new Uint32Array(counts),
});

test('confusions are kept as long as there is room, then every second one and the newest', () => {
  let reports: EpochReport[] = [];
  for (let epoch = 1; epoch <= 8; epoch++) reports = withReport(reports, report(epoch, 2 ** 15));
  const kept = () => reports.flatMap(({ epoch, confusion }) => (confusion ? [epoch] : []));
  expect(kept()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  reports = withReport(reports, report(9, 2 ** 15));
  expect(kept()).toEqual([1, 3, 5, 7, 9]);
  for (let epoch = 10; epoch <= 12; epoch++) reports = withReport(reports, report(epoch, 2 ** 15));
  expect(kept()).toEqual([1, 3, 5, 7, 9, 10, 11, 12]);
  expect(reports.map(({ epoch }) => epoch)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});
