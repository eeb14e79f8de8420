import { expect, test } from 'vitest';
import type { Evaluation } from '../run/metrics/rows.ts';
import { withEvaluation } from './history.ts';

const evaluation = (epoch: number, counts: number): Evaluation => ({
  step: 10 * epoch,
  epoch,
  trainLoss: 1,
  testLoss: 1,
  testAccuracy: 0.5,
  confusion: new Uint32Array(counts),
});

test('confusion matrices are stored up to a limit, then every second one and the newest', () => {
  let evaluations: Evaluation[] = [];
  const add = (epoch: number) => (evaluations = withEvaluation(evaluations, evaluation(epoch, 2 ** 15)));
  for (let epoch = 1; epoch <= 8; epoch++) add(epoch);
  const kept = () => evaluations.flatMap(({ epoch, confusion }) => (confusion ? [epoch] : []));
  expect(kept()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  add(9);
  expect(kept()).toEqual([1, 3, 5, 7, 9]);
  for (let epoch = 10; epoch <= 12; epoch++) add(epoch);
  expect(kept()).toEqual([1, 3, 5, 7, 9, 10, 11, 12]);
  expect(evaluations.map(({ epoch }) => epoch)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
});
