import { NO_AUGMENTATION } from '../../base/augmentation.ts';
import type { DatasetEntry } from '../../worker/api.ts';

/** A data set as the worker reports it: ready, and small digits, unless a test says otherwise. */
export const datasetEntry = (changes: Partial<DatasetEntry> = {}): DatasetEntry => ({
  name: 'digits',
  title: 'Synthetic digits',
  description: '',
  licence: '',
  shape: [1, 28, 28],
  classes: ['0', '1'],
  augmentation: NO_AUGMENTATION,
  counts: { train: 100, test: 10 },
  bytes: 1000,
  files: [],
  shipped: false,
  own: false,
  status: { state: 'ready' },
  ...changes,
});
