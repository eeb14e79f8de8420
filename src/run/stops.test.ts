import { expect, test } from 'vitest';
import { stopReason, stopsOf } from './stops.ts';

const epochs = (...accuracies: number[]) =>
  accuracies.map((testAccuracy, i) => ({ step: 10 * (i + 1), epoch: i + 1, testLoss: 1, testAccuracy }));

test('nothing stops a run without rules or evaluations', () => {
  expect(stopReason({}, epochs(1, 1))).toBeUndefined();
  expect(stopReason({ stopAccuracy: 0.5, patience: 1 }, [])).toBeUndefined();
});

test('reaching the target accuracy stops it, also exactly, and only the last evaluation counts', () => {
  expect(stopReason({ stopAccuracy: 0.9 }, epochs(0.5, 0.899))).toBeUndefined();
  expect(stopReason({ stopAccuracy: 0.9 }, epochs(0.5, 0.9))).toBe(
    'Target accuracy reached: 90 % in epoch 2 (target 90 %).',
  );
  expect(stopReason({ stopAccuracy: 0.9 }, epochs(0.95, 0.8))).toBeUndefined();
});

test('patience counts epochs since the best; equalling the best is not an improvement', () => {
  expect(stopReason({ patience: 2 }, epochs(0.5, 0.4))).toBeUndefined();
  expect(stopReason({ patience: 2 }, epochs(0.5, 0.4, 0.6))).toBeUndefined();
  expect(stopReason({ patience: 2 }, epochs(0.5, 0.6, 0.6, 0.6))).toMatch(
    /for 2 epochs\. .* 60 % in epoch 2/,
  );
});

test('both follow the validation, if there is one', () => {
  const tested = epochs(0.5, 0.6, 0.7);
  const validated = [0.4, 0.9, 0.8].map((validationAccuracy, i) => ({ ...tested[i], validationAccuracy }));
  expect(stopReason({ stopAccuracy: 0.7 }, validated)).toBe(
    'Target validation accuracy reached: 80 % in epoch 3 (target 70 %).',
  );
  expect(stopReason({ stopAccuracy: 0.85 }, validated)).toBeUndefined();
  expect(stopReason({ patience: 1 }, validated)).toBe(
    'No improvement in validation accuracy for 1 epochs. Best: 90 % in epoch 2.',
  );
});

test.each([
  { stopAccuracy: 0 },
  { stopAccuracy: 1.1 },
  { stopAccuracy: NaN },
  { patience: 0 },
  { patience: 1.5 },
])('%o is refused', (stops) => expect(() => stopsOf(stops)).toThrow(/expected/));
