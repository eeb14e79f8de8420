import { lazily } from '../../base/lazily.ts';
import { attempt } from '../../base/result.ts';
import type { Part } from '../part.ts';

const inspecting = lazily(() => import('./inspect.ts'));

const inspectPart: Part<'inspect'> = ({ gpu, runs }) => ({
  evaluateNow: () =>
    attempt(() => {
      gpu.requireIdle();
      return runs.evaluate();
    }),
  predictedSamples: (query) =>
    attempt(async () => {
      const { predictedSamples } = await inspecting();
      return predictedSamples(runs.run.config.dataset, runs.requireEvaluated(), query);
    }),
  look: (request) => attempt(async () => (await inspecting()).look(runs.run, request)),
  firing: (layer) => attempt(async () => (await inspecting()).firing(runs.run, layer)),
  attribution: (request) => attempt(async () => (await inspecting()).attribution(runs.run, request)),
  nearest: (image) => attempt(async () => (await inspecting()).nearest(runs.run, image)),
  histograms: () => attempt(async () => (await inspecting()).histograms(runs.run)),
  recordEmbedding: () => attempt(async () => (await inspecting()).recordEmbedding(runs.run)),
  embedding: (step, method) => attempt(async () => (await inspecting()).embedding(runs.run, step, method)),
  firstFilters: () => attempt(async () => (await inspecting()).firstFilters(runs.run)),
  seenBatch: (first, count) => attempt(async () => (await inspecting()).seenBatch(runs.run, first, count)),
});

export default inspectPart;
