/**
 * Moves what earlier versions kept into the runs' folders: records and weights from IndexedDB, checkpoints from folders that
 * were named otherwise. A run is complete in its folder before the old data go, so a crash at any point loses nothing, and
 * the next visit starts again there.
 */
import { createStore, del, entries, get } from 'idb-keyval';
import { Failure, type FailureValue } from '../../../base/result.ts';
import { CurveLog } from '../../../run/metrics/curve-log.ts';
import { noPoints, type Points } from '../../../run/metrics/points.ts';
import type { FileStore } from '../../../storage/file-store.ts';
import { unpack } from '../../../storage/packed.ts';
import { RunFolder } from '../../../storage/run-folder.ts';
import type { RunLocks } from '../../../storage/run-locks.ts';
import { storedHistory } from '../../../train/stored-checkpoint.ts';
import type { StoredRun } from '../../api.ts';
import { nameOf } from '../names.ts';
import { OLD_RECORDS, oldFolders, SLOTS } from './old-runs.ts';
import { asStoredRun } from './record.ts';
import { asRunCheckpoint, type RunCheckpoint } from './checkpoint.ts';
import { sketchOf } from '../files.ts';

/** The databases of earlier versions. */
export interface OldRuns {
  records(): Promise<[id: string, record: unknown][]>;
  weights(id: string): Promise<Uint8Array | undefined>;
  remove(id: string): Promise<void>;
}

/** Of this browser. */
export function openOldRuns(): OldRuns {
  const records = createStore(OLD_RECORDS, 'records');
  const weights = createStore('wgrad-weights', 'weights');
  return {
    records: () => entries<string, unknown>(records),
    weights: (id) => get<Uint8Array>(id, weights),
    remove: async (id) => {
      await del(id, weights);
      await del(id, records);
    },
  };
}

/** @returns why some cannot be read; they stay where they are */
export async function migrateRuns(files: FileStore, locks: RunLocks, old: OldRuns): Promise<FailureValue[]> {
  const elsewhere = await locks.elsewhere();
  const damaged: FailureValue[] = [];
  const attempt = async (work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      damaged.push(error.value);
    }
  };
  for (const [id, record] of await old.records()) {
    await attempt(async () => {
      const { line, run, points } = fromOldRecord(id, record);
      // A tab with the version before still trains it.
      if (elsewhere.has(line)) return;
      await moveRun(files, { run, points, line, weights: await old.weights(id) });
      await old.remove(id);
    });
  }
  for (const id of await oldFolders(files)) {
    if (elsewhere.has(id)) continue;
    await attempt(async () => moveCheckpointAlone(files, id));
  }
  return damaged;
}

interface OldRun {
  run: StoredRun;
  points: Points;
  /** The folder of its checkpoints. */
  line: string;
  weights: Uint8Array | undefined;
}

/** A run that is there already, and newer, stays. */
async function moveRun(files: FileStore, { run, points, line, weights }: OldRun): Promise<void> {
  const folder = new RunFolder(files, run.id);
  const known = (await folder.readRecord()) as Partial<StoredRun> | undefined;
  const { step, slots } = await oldCheckpoints(files, line);
  if ((known?.kept ?? 0) < run.kept) {
    const log = new CurveLog(run.config.batchSize, points);
    await folder.writeCurve(log);
    if (weights) await folder.writeWeights(weights);
    for (const bytes of slots) await folder.checkpoints.write(bytes);
    const { weights: held, ...rest } = run;
    await folder.writeRecord({
      ...rest,
      sketch: sketchOf(log),
      ...(weights && held ? { weights: { step: held.step } } : {}),
      ...(step === undefined ? {} : { checkpoint: { step } }),
    } satisfies StoredRun);
  }
  for (const slot of SLOTS) await files.remove(`${line}/${slot}`);
}

/** A checkpoint whose run has no record. */
async function moveCheckpointAlone(files: FileStore, line: string): Promise<void> {
  const { saved, slots } = await oldCheckpoints(files, line);
  if (slots.length === 0 || !saved) return;
  const { run: config, history, step, epoch, at, dataset } = saved;
  const { title, classes } = saved.config.model;
  const run: StoredRun = {
    id: line,
    name: nameOf(config.seed, 1),
    number: 1,
    began: at,
    kept: at,
    config,
    model: title,
    dataset: dataset.name,
    classes: Array.from({ length: classes }, (_, i) => `${i}`),
    adapter: '',
    software: false,
    state: 'paused',
    step,
    epoch,
    trainedMs: 0,
    evaluations: history.evaluations.map(({ confusion: _matrix, ...rest }) => rest),
    choices: {},
    sketch: [],
    starred: false,
    note: '',
  };
  await moveRun(files, { run, points: noPoints(), line, weights: undefined });
}

/** The older one first. `step` and `saved` are those of the newest that is whole; without one there are none. */
async function oldCheckpoints(
  files: FileStore,
  line: string,
): Promise<{ step?: number; saved?: RunCheckpoint; slots: Uint8Array<ArrayBuffer>[] }> {
  const found: { number: bigint; bytes: Uint8Array<ArrayBuffer>; saved: RunCheckpoint }[] = [];
  for (const slot of SLOTS) {
    const file = await files.read(`${line}/${slot}`);
    if (!file || file.length < 8) continue;
    const bytes = file.slice(8);
    try {
      const saved = asRunCheckpoint(slot, await unpack(slot, bytes));
      found.push({ number: new DataView(file.buffer).getBigUint64(0, true), bytes, saved });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
  }
  found.sort((a, b) => Number(a.number - b.number));
  const newest = found.at(-1)?.saved;
  return { ...(newest ? { step: newest.step, saved: newest } : {}), slots: found.map(({ bytes }) => bytes) };
}

/** @throws Failure `bad-file` */
function fromOldRecord(id: string, value: unknown): { run: StoredRun; points: Points; line: string } {
  const record = (value ?? {}) as Record<string, unknown> & { config?: { record?: unknown } };
  const { points, confusion, evaluations } = record;
  const name = typeof record['name'] === 'string' ? record['name'] : id;
  const line = typeof record.config?.record === 'string' ? record.config.record : id;
  const run = asStoredRun(`the run ${name.slice(0, 80)}`, {
    ...record,
    id,
    config: { ...record.config, record: id },
    confusion: confusion instanceof Uint32Array ? [...confusion] : undefined,
    evaluations: Array.isArray(evaluations)
      ? storedHistory({ epoch: { loss: 0, steps: 0 }, evaluations }).evaluations
      : [],
    sketch: [],
  });
  const paused = ['preparing', 'training', 'recovering'].includes(run.state);
  return { run: paused ? { ...run, state: 'paused' } : run, points: asPoints(points), line };
}

/** Damaged curves are left out. */
function asPoints(value: unknown): Points {
  const points = (value ?? {}) as Partial<Points>;
  const { step, loss, accuracy, smoothLoss, smoothAccuracy } = points;
  const length = step?.length;
  const fits = [loss, accuracy, smoothLoss, smoothAccuracy].every(
    (one) => one instanceof Float32Array && one.length === length,
  );
  return step instanceof Float64Array && fits ? (points as Points) : noPoints();
}
