import { expect, test } from 'vitest';
import { standingOf } from './standing.ts';

const tested = (step: number, testAccuracy: number) => ({
  step,
  epoch: step / 10,
  testLoss: 1,
  testAccuracy,
});
const run = { state: 'paused', step: 20, epoch: 2, config: { epochs: 3 }, evaluations: [tested(20, 0.9)] };

test.each([
  ['with epochs to come', {}, 'paused'],
  ['without a number of epochs', { config: {} }, 'paused'],
  ['after its last epoch', { epoch: 3 }, 'finished'],
  ['that was replaced, or stopped, after its last epoch', { epoch: 3, state: 'stopped' }, 'finished'],
  ['that is still tested after its last epoch', { epoch: 3, state: 'training' }, 'training'],
  ['that failed', { epoch: 3, state: 'failed' }, 'failed'],
  ['with epochs that were added', { epoch: 3, config: { epochs: 6 } }, 'paused'],
  ['with epochs that a change added', { epoch: 3, changes: [{ step: 10, epochs: 6 }] }, 'paused'],
  ['whose target is reached', { config: { epochs: 3, stopAccuracy: 0.9 } }, 'stoppedEarly'],
  ['whose target is not reached', { config: { epochs: 3, stopAccuracy: 0.95 } }, 'paused'],
  ['that went on after its target', { step: 21, config: { stopAccuracy: 0.9 } }, 'paused'],
  [
    'whose target is reached in its last epoch',
    { epoch: 3, config: { epochs: 3, stopAccuracy: 0.9 } },
    'finished',
  ],
  [
    'out of patience',
    { config: { patience: 1 }, evaluations: [tested(10, 0.9), tested(20, 0.8)] },
    'stoppedEarly',
  ],
])('a run %s', (_, change, standing) => {
  expect(standingOf({ ...run, ...change })).toBe(standing);
});
