import { expect, test } from 'vitest';
import type { Evaluation } from '../run/metrics/rows.ts';
import { withEvaluation, type History } from './history.ts';
import { storedHistory } from './stored-checkpoint.ts';

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

test('evaluations stored by version 0.1 get their current names, and others are unchanged', () => {
  const confusion = new Uint32Array(4);
  const old = { step: 10, epoch: 1, trainLoss: 2, loss: 1.5, accuracy: 0.5, confusion };
  const evaluations = [old, evaluation(2, 4)] as unknown as Evaluation[];
  const history: History = { epoch: { loss: 0, steps: 0 }, evaluations, due: 20 };
  expect(storedHistory(history)).toEqual({
    ...history,
    evaluations: [
      { step: 10, epoch: 1, trainLoss: 2, testLoss: 1.5, testAccuracy: 0.5, confusion },
      evaluation(2, 4),
    ],
  });
});
