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
  judgedSamples: (query) =>
    attempt(async () => {
      const { judgedSamples } = await inspecting();
      return judgedSamples(runs.session.config.dataset, runs.requireEvaluated(), query);
    }),
  look: (request) => attempt(async () => (await inspecting()).look(runs.session, request)),
  firing: (layer) => attempt(async () => (await inspecting()).firing(runs.session, layer)),
  firstFilters: () => attempt(async () => (await inspecting()).firstFilters(runs.session)),
  seenBatch: (first, count) =>
    attempt(async () => (await inspecting()).seenBatch(runs.session, first, count)),
});

export default inspectPart;
