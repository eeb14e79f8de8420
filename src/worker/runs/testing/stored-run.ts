import { completed } from '../../../run/settings/rules.ts';
import type { StoredRun } from '../../api.ts';

/** A run as it is kept: one that was stopped, unless a test says otherwise. */
export const storedRun = (changes: Partial<StoredRun> = {}): StoredRun => ({
  id: 'a',
  number: 1,
  name: 'brave-otter-1',
  began: 1e12,
  kept: 2e12,
  state: 'stopped',
  step: 10,
  epoch: 1,
  config: { ...completed({}), model: 'lenet5', dataset: 'digits' },
  model: 'LeNet-5',
  dataset: 'Synthetic digits',
  classes: ['0', '1'],
  adapter: 'a GPU',
  software: false,
  trainedMs: 1500,
  evaluations: [],
  choices: {},
  sketch: [1, 0.5],
  starred: false,
  note: '',
  ...changes,
});
