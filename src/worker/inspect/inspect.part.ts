import type { WorkerPart } from '../part.ts';
import { attribution } from './attribution.ts';
import { embedding, recordEmbedding } from './embedding.ts';
import { firstFilters } from './first-filters.ts';
import { histograms } from './histograms.ts';
import { lookTrained } from './look-trained.ts';
import { firing, look } from './look.ts';
import { nearest } from './nearest.ts';
import { predictedSamples } from './samples.ts';
import { seenBatch } from './seen.ts';

const inspectPart: WorkerPart<'inspect'> = (services) => {
  const { gpu, runs } = services;
  return {
    evaluateNow: () => {
      gpu.requireIdle();
      return runs.evaluate();
    },
    predictedSamples: (query) => predictedSamples(runs.run.config.dataset, runs.requireEvaluated(), query),
    look: (request) => look(runs.run, request),
    lookTrained: (request) => lookTrained(request, services.pageUrl, fetch),
    firing: (layer) => firing(runs.run, layer),
    attribution: (request) => attribution(runs.run, request),
    nearest: (image) => nearest(runs.run, image),
    histograms: () => histograms(runs.run),
    recordEmbedding: () => recordEmbedding(runs.run),
    embedding: (step, method) => embedding(runs.run, step, method),
    firstFilters: () => firstFilters(runs.run),
    seenBatch: (first, count) => seenBatch(runs.run, first, count),
  };
};

export default inspectPart;
