import { found, Registry } from '../../../../base/registry.ts';
import type { ConvAlgorithm } from '../algorithm.ts';

/** Every algorithm: the default exports of the folders here, an algorithm or a family of them. */
export const convAlgorithms = new Registry<ConvAlgorithm>(
  'convolution algorithm',
  found<ConvAlgorithm>(import.meta.glob('./*/index.ts', { eager: true, import: 'default' })),
);

/** The algorithm of layers without a choice. */
export const DEFAULT_ALGORITHM = 'implicit_gemm';
