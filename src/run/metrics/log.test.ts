import { expect, test } from 'vitest';
import { readLog } from './log.ts';

/** Lines as an exported project prints them, and what else stands among them. */
const LOG = `W1127 torchrun warns of something
{"step": 1, "loss": 2.5}
{"step": 2, "loss": 2.25}
{"epoch": 1, "test_loss": 2.0, "test_accuracy": 0.5, "seconds": 0.5, "images_per_second": 400}
{"step": 3, "loss": 2.0}
{"step": 4, "loss": NaN}
{"epoch": 2, "test_loss": Infinity, "test_accuracy": 0.25, "validation_accuracy": 0.75, "seconds": 0.25, "images_per_second": 800}
{"step": 5, "lo`;

test('steps, epochs and their speed; other lines are left out', () => {
  const { rows, evaluations, batchSize } = readLog(LOG);
  expect(rows.map(({ step, loss, imagesPerSecond }) => [step, loss, imagesPerSecond])).toEqual([
    [1, 2.5, 400],
    [2, 2.25, 400],
    [3, 2, 800],
    [4, NaN, 800],
  ]);
  expect(evaluations).toEqual([
    { step: 2, epoch: 1, testLoss: 2, testAccuracy: 0.5 },
    { step: 4, epoch: 2, testLoss: NaN, testAccuracy: 0.25, validationAccuracy: 0.75 },
  ]);
  expect(batchSize).toBe(100);
});

test('what was computed again after a kill replaces what was lost', () => {
  const again = `${LOG}
{"step": 2, "loss": 2.125}
{"epoch": 1, "test_loss": 1.5, "test_accuracy": 0.625, "seconds": 0.25, "images_per_second": 400}
{"step": 3, "loss": 1.75}`;
  expect(readLog(`${LOG}\n{"step": 3, "loss": 1.75}`).evaluations.map(({ epoch }) => epoch)).toEqual([1]);
  const { rows, evaluations } = readLog(again);
  expect(rows.map(({ step, loss }) => [step, loss])).toEqual([
    [1, 2.5],
    [2, 2.125],
    [3, 1.75],
  ]);
  expect(evaluations).toEqual([{ step: 2, epoch: 1, testLoss: 1.5, testAccuracy: 0.625 }]);
});

test('lines of the command line: the last one, which sums up, is no step', () => {
  const { rows, evaluations, batchSize } = readLog(`{"step":1,"loss":2.5}
{"epoch":1,"steps":1,"test_loss":2,"test_accuracy":0.5,"train_loss":2.5}
{"final":true,"steps":1,"loss":2.25,"test_loss":null}
{"step":-1,"loss":9}
{"step":1.5,"loss":9}
{"loss":9}
[1]`);
  expect(rows).toEqual([{ step: 1, loss: 2.5, accuracy: NaN, imagesPerSecond: NaN }]);
  expect(evaluations).toEqual([{ step: 1, epoch: 1, testLoss: 2, testAccuracy: 0.5, trainLoss: 2.5 }]);
  expect(batchSize).toBeUndefined();
});
