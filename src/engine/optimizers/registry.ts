import { found, Registry } from '../../base/registry.ts';
import type { Optimizer } from './optimizer.ts';

/** All optimisers: the default exports of rules/, an optimiser or an array of them. */
export const optimizers = new Registry<Optimizer>(
  'optimizer',
  found(import.meta.glob('./rules/*.ts', { eager: true, import: 'default' })),
);
