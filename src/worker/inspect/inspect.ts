/** The Inspect screen's part of the worker, in one chunk that loads on the first request. */
export { attribution } from './attribution.ts';
export { embedding, recordEmbedding } from './embedding.ts';
export { firstFilters } from './first-filters.ts';
export { histograms } from './histograms.ts';
export { firing, look } from './look.ts';
export { lookTrained } from './look-trained.ts';
export { nearest } from './nearest.ts';
export { predictedSamples } from './samples.ts';
export { seenBatch } from './seen.ts';
