import { beforeAll, expect, test, vi } from 'vitest';
import type { RunConfig } from '../worker/api.ts';
import type * as Changes from './changes.ts';

let differences: typeof Changes.differences;
beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
  ({ differences } = await import('./changes.ts'));
});

const running: RunConfig = {
  ...{ model: 'lenet5', dataset: 'digits', batchSize: 64, seed: 1 },
  optimizer: { name: 'adam', lr: 0.001, momentum: 0, nesterov: false, weightDecay: 0 },
};

test('what is the same is no change, whatever the run is called', () => {
  const named = { ...running, record: 'a', pins: [], parent: 'run 1, step 2' };
  expect(differences(named, running)).toEqual({ now: {}, waiting: [] });
});

test('the learning rate, weight decay and rules for resting act at once', () => {
  const chosen = { ...running, optimizer: { ...running.optimizer, lr: 0.01, weightDecay: 0.1 } };
  expect(differences(running, { ...chosen, stops: { patience: 3 } })).toEqual({
    now: { lr: 0.01, weightDecay: 0.1, stops: { patience: 3 } },
    waiting: [],
  });
  expect(differences({ ...running, stops: { accuracy: 0.9 } }, running).now).toEqual({ stops: {} });
});

test('the rest waits, and so does the rate of another optimiser', () => {
  const optimizer = { ...running.optimizer, name: 'sgd', lr: 0.1 } as const;
  expect(differences(running, { ...running, batchSize: 32, seed: 2, optimizer })).toEqual({
    now: {},
    waiting: ['batch size', 'optimiser', 'seed'],
  });
});
