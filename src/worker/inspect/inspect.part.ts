import { lazily } from '../../base/lazily.ts';
import type { WorkerPart } from '../part.ts';
import { firstFilters } from './first-filters.ts';
import { histograms } from './histograms.ts';
import { lookTrained } from './look-trained.ts';
import { firing, look } from './look.ts';
import { predictedSamples } from './samples.ts';
import { seenBatch } from './seen.ts';

// Train shows the network at work; these are for those who look further.
const attributions = lazily(() => import('./attribution.ts'));
const embeddings = lazily(() => import('./embedding.ts'));
const neighbours = lazily(() => import('./nearest.ts'));

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
    attribution: async (request) => (await attributions()).attribution(runs.run, request),
    nearest: async (image) => (await neighbours()).nearest(runs.run, image),
    histograms: () => histograms(runs.run),
    recordEmbedding: async () => (await embeddings()).recordEmbedding(runs.run),
    embedding: async (step, method) => (await embeddings()).embedding(runs.run, step, method),
    firstFilters: () => firstFilters(runs.run),
    seenBatch: (first, count) => seenBatch(runs.run, first, count),
  };
};

export default inspectPart;
