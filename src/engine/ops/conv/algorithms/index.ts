import { found, Registry } from '../../../../base/registry.ts';
import type { ConvAlgorithm } from '../algorithm.ts';

/** Every algorithm: one folder each, found by being there. */
export const convAlgorithms = new Registry<ConvAlgorithm>(
  'convolution algorithm',
  found<ConvAlgorithm>(import.meta.glob('./*/index.ts', { eager: true, import: 'default' })),
);

/** What a layer uses unless told otherwise. */
export const DEFAULT_ALGORITHM = 'implicit_gemm';
