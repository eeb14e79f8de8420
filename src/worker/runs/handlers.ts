import { lazily } from '../../base/lazily.ts';
import { attempt, unlessFailure } from '../../base/result.ts';
import { uniqueId } from '../../base/unique-id.ts';
import type { WorkerPart } from '../part.ts';

const archiving = lazily(() => import('./archive/archive.ts'));
const weightsFiles = lazily(() => import('./weights.ts'));

const runsPart: WorkerPart<'runs'> = ({ gpu, runs, store }) => ({
  keptRuns: () => attempt(() => store.all()),
  runCurves: (id) => attempt(() => store.files.curves(id)),
  keptHistograms: (id) => attempt(() => store.files.histograms(id)),
  keepHistograms: (id, histograms) => attempt(() => store.files.keepHistograms(id, histograms)),
  changeRun: (id, about) => attempt(() => store.tabs.change(id, about)),
  deleteRuns: (ids) =>
    attempt(async () => {
      await runs.letGo(ids);
      await store.trash.delete(ids);
    }),
  restoreRuns: (ids) => attempt(() => store.trash.restore(ids)),
  freeRuns: (ids) =>
    attempt(async () => {
      await runs.letGo(ids);
      await store.trash.free(ids);
    }),
  keptWeights: (id) => attempt(async () => (await store.files.weights(id)).bytes),
  savedRun: (preferred) => attempt(() => store.offered(preferred)),
  runWeights: () => attempt(() => runs.weights()),
  holdWeights: (id) =>
    attempt(() => {
      gpu.requireIdle();
      return runs.holdWeights(id);
    }),
  holdKept: (run) =>
    attempt(async () => {
      const { name, checkpoint } = await store.get(run);
      const id = uniqueId();
      // Where a checkpoint is damaged, weights may still be there.
      const saved = checkpoint && (await store.files.checkpoint(run).catch(unlessFailure))?.value;
      if (saved) runs.starts.hold(id, saved);
      const kept = saved ?? (await store.files.weights(run));
      if (!saved && 'bytes' in kept)
        runs.starts.bring(id, (await weightsFiles()).readWeights(name, kept.bytes));
      return { id, run, name, step: kept.step };
    }),
  exportRun: (id) => attempt(async () => (await archiving()).packRun(store, id)),
  importRun: (file, bytes) => attempt(async () => (await archiving()).importRun(store, file, bytes)),
});

export default runsPart;
