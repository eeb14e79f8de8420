import { beforeAll, expect, test, vi } from 'vitest';
import { NO_AUGMENTATION, parseAugmentation } from '../../../../base/augmentation.ts';
import { completed } from '../../../../run/settings/rules.ts';
import type { RunConfig } from '../../../../worker/api.ts';
import type * as Changes from './changes.ts';

let differences: typeof Changes.differences;
beforeAll(async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
  ({ differences } = await import('./changes.ts'));
});

const running: RunConfig = { ...completed({}), model: 'lenet5', dataset: 'digits' };

test('equal settings are no change, whatever the id of the run', () => {
  const named = { ...running, record: 'a', pins: [], start: { id: 'b', run: 'c', name: 'd', step: 2 } };
  expect(differences(named, running)).toEqual({ now: {}, waiting: [] });
});

test('the learning rate, weight decay and early stopping act immediately', () => {
  const chosen = { ...running, lr: 0.01, weightDecay: 0.1, patience: 3 };
  expect(differences(running, chosen)).toEqual({
    now: { lr: 0.01, weightDecay: 0.1, patience: 3 },
    waiting: [],
  });
  const { now } = differences({ ...running, stopAccuracy: 0.9 }, running);
  expect(now).toStrictEqual({ stopAccuracy: undefined });
});

test('augmentation acts immediately, except with other data', () => {
  const crop = parseAugmentation('crop=2');
  const varied = { ...running, augmentation: crop };
  expect(differences(running, varied)).toEqual({ now: { augmentation: crop }, waiting: [] });
  expect(differences(varied, running).now).toEqual({ augmentation: NO_AUGMENTATION });
  expect(differences({ ...running, augmentation: NO_AUGMENTATION }, running).now).toEqual({});
  expect(differences(running, { ...varied, dataset: 'shapes' })).toEqual({ now: {}, waiting: ['data'] });
});

test('other settings wait, and so does the rate of another optimiser', () => {
  const chosen: RunConfig = { ...running, batchSize: 32, seed: 2, optimizer: 'sgd', lr: 0.1 };
  expect(differences(running, chosen)).toEqual({ now: {}, waiting: ['batch size', 'optimiser', 'seed'] });
});
