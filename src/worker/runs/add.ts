import { CurveLog } from '../../run/metrics/curve-log.ts';
import type { Points } from '../../run/metrics/points.ts';
import type { RunRecord, StoredRun } from '../api.ts';
import { sketchOf } from './files.ts';
import type { RunStore } from './store.ts';

/** Keeps a run that comes from elsewhere. */
export async function addRun(
  store: RunStore,
  run: Omit<StoredRun, 'id' | 'number'>,
  id: string,
  parts: { points: Points; weights?: Uint8Array; checkpoint?: Uint8Array<ArrayBuffer> },
): Promise<RunRecord> {
  const { index } = store;
  const folder = await store.files.folder(id);
  const number = index.nextNumber;
  const taken = index.visible.some(({ name }) => name === run.name);
  const name = taken ? `${run.name} (${number})` : run.name;
  const log = new CurveLog(run.config.batchSize, parts.points);
  await folder.writeCurve(log);
  if (parts.weights) await folder.writeWeights(parts.weights);
  if (parts.checkpoint) await folder.checkpoints.write(parts.checkpoint);
  await store.tabs.write({ ...run, id, number, name, sketch: sketchOf(log) });
  await (await store.trash()).thin();
  return index.get(id);
}
