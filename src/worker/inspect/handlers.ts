import { lazily } from '../../base/lazily.ts';
import { attempt } from '../../base/result.ts';
import type { WorkerPart } from '../part.ts';

const inspecting = lazily(() => import('./inspect.ts'));

const inspectPart: WorkerPart<'inspect'> = (services) => ({
  evaluateNow: () =>
    attempt(() => {
      services.gpu.requireIdle();
      return services.runs.evaluate();
    }),
  predictedSamples: (query) =>
    attempt(async () => {
      const { predictedSamples } = await inspecting();
      return predictedSamples(services.runs.run.config.dataset, services.runs.requireEvaluated(), query);
    }),
  look: (request) => attempt(async () => (await inspecting()).look(services.runs.run, request)),
  lookTrained: (request) =>
    attempt(async () => (await inspecting()).lookTrained(request, services.pageUrl, fetch)),
  firing: (layer) => attempt(async () => (await inspecting()).firing(services.runs.run, layer)),
  attribution: (request) => attempt(async () => (await inspecting()).attribution(services.runs.run, request)),
  nearest: (image) => attempt(async () => (await inspecting()).nearest(services.runs.run, image)),
  histograms: () => attempt(async () => (await inspecting()).histograms(services.runs.run)),
  recordEmbedding: () => attempt(async () => (await inspecting()).recordEmbedding(services.runs.run)),
  embedding: (step, method) =>
    attempt(async () => (await inspecting()).embedding(services.runs.run, step, method)),
  firstFilters: () => attempt(async () => (await inspecting()).firstFilters(services.runs.run)),
  seenBatch: (first, count) =>
    attempt(async () => (await inspecting()).seenBatch(services.runs.run, first, count)),
});

export default inspectPart;
