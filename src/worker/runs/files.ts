/** What is kept of each run, in a folder of its own. */
import { lazily } from '../../base/lazily.ts';
import { Failure } from '../../base/result.ts';
import { Turns } from '../../base/turns.ts';
import { CurveLog } from '../../run/metrics/curve-log.ts';
import type { HistogramRecord } from '../../run/metrics/histograms.ts';
import type { Points } from '../../run/metrics/points.ts';
import type { FoundCheckpoint } from '../../storage/checkpoints.ts';
import type { RunFolder } from '../../storage/run-folder.ts';
import type { RunRecord, StoredRun } from '../api.ts';
import type { RunIndex } from './run-index.ts';
import type { RunStorage } from './storage.ts';
import type { RunCheckpoint } from './stored/checkpoint.ts';

const folders = lazily(() => import('../../storage/run-folder.ts'));
const records = lazily(() => import('./stored/record.ts'));
const checkpoints = lazily(() => import('./stored/checkpoint.ts'));
const weightsFiles = lazily(() => import('./weights.ts'));

export class RunFiles {
  private readonly writes = new Turns();

  /** @param storage once it is open, the index has all runs */
  constructor(
    private readonly storage: () => Promise<Pick<RunStorage, 'files'>>,
    private readonly index: RunIndex,
  ) {}

  async folder(id: string): Promise<RunFolder> {
    return folderIn(await this.storage(), id);
  }

  async curves(id: string): Promise<Points> {
    return (await this.known(id)).readCurve();
  }

  /** The curves of a run that resumes. @param step of its checkpoint */
  async curveUpTo(id: string, step: number): Promise<CurveLog> {
    const points = await this.curves(id);
    const log = new CurveLog(this.index.get(id).config.batchSize, points);
    log.changedFrom = Infinity;
    log.cut(step);
    return log;
  }

  /** What was recorded of a run's layers. */
  async histograms(id: string): Promise<HistogramRecord[]> {
    return (await this.known(id)).readHistograms();
  }

  async keepHistograms(id: string, histograms: readonly HistogramRecord[]): Promise<void> {
    await (await this.known(id)).writeHistograms(histograms);
    await this.measure(id);
  }

  /** The newest intact checkpoint; undefined if there is none. @throws Failure `bad-file` if all are damaged */
  async checkpoint(id: string): Promise<FoundCheckpoint<RunCheckpoint> | undefined> {
    return (await this.folder(id)).newestCheckpoint((await checkpoints()).asRunCheckpoint);
  }

  /** A run's weights, of its checkpoint or from their own file. @throws Failure `not-found` */
  async weights(id: string): Promise<{ step: number; bytes: Uint8Array<ArrayBuffer> }> {
    const folder = await this.known(id);
    const { checkpoint, weights, name, classes } = this.index.get(id);
    const bytes = weights && (await folder.readWeights());
    if (weights && bytes && weights.step >= (checkpoint?.step ?? 0)) return { step: weights.step, bytes };
    const found = checkpoint && (await this.checkpoint(id));
    if (found) {
      const { weightsOfCheckpoint } = await weightsFiles();
      return { step: found.value.step, bytes: weightsOfCheckpoint(found.value, classes) };
    }
    throw new Failure(
      'not-found',
      `The weights of ${name} are not available.`,
      'Weights are saved while a run trains, when it is paused, and when it is stopped.',
    );
  }

  /** Writes a run's record: what it is when those before it are written. */
  async write(record: StoredRun): Promise<void> {
    const { id } = record;
    this.index.set(record);
    await this.writes.take(async () => {
      const { bytes: _bytes, live: _live, ...stored } = this.index.find(id) ?? (record as RunRecord);
      await (await this.folder(id)).writeRecord(stored);
      await this.measure(id);
    });
  }

  /** Resolves when all records are written. */
  written(): Promise<void> {
    return this.writes.settled();
  }

  async measure(id: string): Promise<void> {
    this.index.update(id, { bytes: await (await this.folder(id)).size() });
  }

  /** @throws Failure `not-found` if there is no such run */
  private async known(id: string): Promise<RunFolder> {
    const folder = await this.folder(id);
    this.index.get(id);
    return folder;
  }
}

export async function folderIn({ files }: Pick<RunStorage, 'files'>, id: string): Promise<RunFolder> {
  const { RunFolder: Folder } = await folders();
  return new Folder(files, id);
}

/**
 * A run as its folder has it; undefined if there is none. The file of its checkpoint says which checkpoint it has: a tab
 * may have been closed between its write and that of the record.
 * @param live where it is open: a run that was training when its tab was closed is paused
 * @throws Failure `bad-file`, `storage`
 */
export async function readRecord(folder: RunFolder, live: RunRecord['live']): Promise<RunRecord | undefined> {
  const found = await folder.readRecord();
  if (found === undefined) return undefined;
  const { asStoredRun } = await records();
  const { checkpoint, ...record } = asStoredRun(`the run ${nameIn(found)}`, found);
  const bytes = await folder.size();
  const at = await folder.checkpointAt();
  const state = live === null && isActive(record) ? 'paused' : record.state;
  const run = { ...record, state, bytes, live };
  if (at === null) return { ...run, checkpoint };
  if (at === undefined) return run;
  const step = Math.max(run.step, at.step);
  const epoch = Math.max(run.epoch, at.epoch);
  return { ...run, step, epoch, checkpoint: { step: at.step } };
}

const isActive = ({ state }: Pick<StoredRun, 'state'>): boolean =>
  ['preparing', 'training', 'saving', 'recovering'].includes(state);

const nameIn = (value: unknown): string =>
  String((value as { name?: unknown } | null)?.name ?? '').slice(0, 80);

/** The smoothed loss, for a small picture. */
export const sketchOf = (log: CurveLog): number[] => log.sketch('smoothLoss', 48).filter(Number.isFinite);
