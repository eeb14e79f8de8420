import { found, Registry } from '../../base/registry.ts';
import type { Optimizer } from './optimizer.ts';

/** All optimisers: a folder here with an index.ts is one. */
export const optimizers = new Registry<Optimizer>(
  'optimizer',
  found(import.meta.glob('./*/index.ts', { eager: true, import: 'default' })),
);
