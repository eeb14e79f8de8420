import { found, Registry } from '../base/registry.ts';
import type { DatasetInfo } from './dataset.ts';

/** Every data set: one folder in datasets/ each. */
export const datasets = new Registry<DatasetInfo>(
  'data set',
  found(import.meta.glob('./datasets/*/index.ts', { eager: true, import: 'default' })),
);
