import { found, Registry } from '../../../base/registry.ts';
import type { TorchOptimizer } from './optimizer.ts';

/** The default exports of optimizers/: an optimiser or an array of them. */
export const torchOptimizers = new Registry<TorchOptimizer>(
  'optimizer',
  found(import.meta.glob('./optimizers/*.ts', { eager: true, import: 'default' })),
);
