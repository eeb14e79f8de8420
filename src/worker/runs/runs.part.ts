import { lazily } from '../../base/lazily.ts';
import { unlessFailure } from '../../base/result.ts';
import { uniqueId } from '../../base/unique-id.ts';
import type { WorkerPart } from '../part.ts';

const archiving = lazily(() => import('./archive/archive.ts'));
const weightsFiles = lazily(() => import('./weights.ts'));

const runsPart: WorkerPart<'runs'> = ({ gpu, runs, store }) => {
  const { files, tabs } = store;
  return {
    keptRuns: () => store.all(),
    runCurves: (id) => files.curves(id),
    keptHistograms: (id) => files.histograms(id),
    keepHistograms: (id, histograms) => files.keepHistograms(id, histograms),
    changeRun: (id, about) => tabs.change(id, about),
    async deleteRuns(ids) {
      await runs.letGo(ids);
      await (await store.trash()).delete(ids);
    },
    restoreRuns: async (ids) => (await store.trash()).restore(ids),
    async freeRuns(ids) {
      await runs.letGo(ids);
      await (await store.trash()).free(ids);
    },
    keptWeights: async (id) => (await files.weights(id)).bytes,
    async keptFilters(id) {
      const { step, bytes } = await files.weights(id);
      return (await weightsFiles()).filtersOf(id, bytes, step);
    },
    savedRun: (preferred) => store.offered(preferred),
    runWeights: () => runs.weights(),
    holdWeights(id) {
      gpu.requireIdle();
      return runs.holdWeights(id);
    },
    async holdKept(run) {
      const { name, checkpoint } = await store.get(run);
      const id = uniqueId();
      // Where a checkpoint is damaged, weights may still be there.
      const saved = checkpoint && (await files.checkpoint(run).catch(unlessFailure))?.value;
      if (saved) runs.starts.hold(id, saved);
      const kept = saved ?? (await files.weights(run));
      if (!saved && 'bytes' in kept)
        runs.starts.bring(id, (await weightsFiles()).readWeights(name, kept.bytes));
      return { id, run, name, step: kept.step };
    },
    exportRun: async (id) => (await archiving()).packRun(store, id),
    importRun: async (file, bytes) => (await archiving()).importRun(store, file, bytes),
  };
};

export default runsPart;
