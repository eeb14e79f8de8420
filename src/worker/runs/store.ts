/**
 * The runs that the browser keeps, each in a folder of its own. The worker alone reads and writes them; tabs tell each other
 * what has changed, and see by the runs' locks which are open where.
 */
import { lazily } from '../../base/lazily.ts';
import { Failure, unlessFailure, type FailureValue } from '../../base/result.ts';
import { Turns } from '../../base/turns.ts';
import { CurveLog } from '../../run/metrics/curve-log.ts';
import type { HistogramRecord } from '../../run/metrics/histograms.ts';
import type { Points } from '../../run/metrics/points.ts';
import type { Found } from '../../storage/checkpoints.ts';
import type { RunFolder } from '../../storage/run-folder.ts';
import type { KeptRuns, RunAbout, RunRecord, RunsEvent, SavedRunEntry, StoredRun } from '../api.ts';
import { pausedUnlessLive, readRun, storedOf } from './read-run.ts';
import { inMemory, tell, type Message, type RunStorage } from './run-storage.ts';
import type { SavedRun } from './saved-run.ts';

const folders = lazily(() => import('../../storage/run-folder.ts'));
const reading = lazily(() => import('./saved-run.ts'));
const weightsOf = lazily(() => import('./weights.ts'));

/** Above so many bytes, the oldest runs lose their checkpoints, and then their weights. */
const STORAGE_LIMIT = 2e9;
/** How long a deleted run can be restored. */
const UNDO_MS = 60_000;
/** How often tabs look which runs are open elsewhere. */
const LOOK_EVERY_MS = 2000;

export interface RunStoreOptions {
  /** @throws Failure `storage` if the browser has no place for runs */
  open(): Promise<RunStorage>;
  send(event: RunsEvent): void;
  limit?: number;
}

export class RunStore {
  private readonly records = new Map<string, RunRecord>();
  private storageOpened: Promise<RunStorage> | undefined;
  private refusal: Failure | undefined;
  private damaged: FailureValue[] = [];
  /** Runs that train here, or are about to: nothing but their training changes their files. */
  private readonly open = new Set<string>();
  /** Files of runs that are not open are changed one at a time: what is checked before a change holds until it is made. */
  private readonly turns = new Turns();
  /** Called when the person changes a run that is open here. */
  private readonly recording = new Map<string, (about: RunAbout) => void>();
  /** Writes of records. */
  private readonly writes = new Turns();
  readonly limit: number;

  constructor(private readonly options: RunStoreOptions) {
    this.limit = options.limit ?? STORAGE_LIMIT;
  }

  /** All runs, the first one first. */
  async all(): Promise<KeptRuns> {
    await this.storage();
    const runs = [...this.records.values()].filter(isVisible).sort((a, b) => a.number - b.number);
    const { damaged, refusal, limit } = this;
    return { runs, damaged, limit, refusal: refusal?.value };
  }

  /** @throws Failure `not-found` */
  async get(id: string): Promise<RunRecord> {
    await this.storage();
    const record = this.records.get(id);
    if (record && isVisible(record)) return record;
    throw new Failure('not-found', 'This run is no longer saved.', 'Select Train to start a new run.');
  }

  async folder(id: string): Promise<RunFolder> {
    const { RunFolder: Folder } = await folders();
    return new Folder((await this.storage()).files, id);
  }

  async curves(id: string): Promise<Points> {
    return (await this.folder((await this.get(id)).id)).readCurve();
  }

  /** What was recorded of a run's layers. */
  async histograms(id: string): Promise<HistogramRecord[]> {
    await this.get(id);
    return (await this.folder(id)).readHistograms();
  }

  async keepHistograms(id: string, histograms: readonly HistogramRecord[]): Promise<void> {
    await this.get(id);
    await (await this.folder(id)).writeHistograms(histograms);
    await this.measure(id);
  }

  /**
   * The run to offer after a reload: this tab's, else the last one, if it can be resumed and no other tab has it open.
   * @throws Failure `bad-file` if its checkpoints are damaged
   */
  async offered(preferred?: string): Promise<SavedRunEntry | undefined> {
    await this.look();
    const { runs } = await this.all();
    const own = runs.find((one) => one.id === preferred && one.live !== 'elsewhere');
    const free = runs
      .filter(({ live }) => live !== 'elsewhere')
      .sort((a, b) => b.kept - a.kept || b.number - a.number);
    const run = own ?? free[0];
    const found = run?.checkpoint && (await this.checkpoint(run.id));
    if (!found) return undefined;
    if (run === own) await this.hold(run.id);
    const { id, model, dataset, kept: at } = run;
    const { step, epoch } = found.value;
    return { id, step, epoch, model, dataset, at, skipped: found.skipped };
  }

  /**
   * A run to resume, which is open in this tab from now on: its newest intact checkpoint.
   * @throws Failure `not-found` if it is gone, has no checkpoint or is open in another tab, `bad-file` if it is damaged
   */
  take(id: string): Promise<Found<SavedRun>> {
    return this.turns.take(async () => {
      await this.get(id);
      if (!(await this.hold(id))) {
        this.update(id, { live: 'elsewhere' });
        throw new Failure(
          'not-found',
          'This run is active in another tab.',
          'Switch to that tab, or select Train to start a new run.',
        );
      }
      if (this.open.has(id)) return this.resumable(id);
      try {
        // Another tab may just have deleted it.
        await this.takeOver(id);
        await this.get(id);
        const found = await this.resumable(id);
        this.open.add(id);
        return found;
      } catch (error) {
        this.release(id);
        throw error;
      }
    });
  }

  private async resumable(id: string): Promise<Found<SavedRun>> {
    const found = await this.checkpoint(id);
    if (found) return found;
    throw new Failure(
      'not-found',
      'This run has no checkpoint to resume from.',
      'Fork it: a new run starts from its weights.',
    );
  }

  /** The newest intact checkpoint; undefined if there is none. @throws Failure `bad-file` if all are damaged */
  async checkpoint(id: string): Promise<Found<SavedRun> | undefined> {
    return (await this.folder(id)).newestCheckpoint((await reading()).asSavedRun);
  }

  /** The file of the newest intact checkpoint. */
  async checkpointFile(id: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const found = await this.checkpoint(id);
    return found && Uint8Array.from(found.bytes);
  }

  /** The curves of a run that resumes. @param step of its checkpoint */
  async continued(id: string, step: number): Promise<CurveLog> {
    const { config } = await this.get(id);
    const log = new CurveLog(config.batchSize, await this.curves(id));
    log.changedFrom = Infinity;
    log.cut(step);
    return log;
  }

  /** A run's weights, of its checkpoint or from their own file. @throws Failure `not-found` */
  async weights(id: string): Promise<{ step: number; bytes: Uint8Array<ArrayBuffer> }> {
    const { checkpoint, weights, name } = await this.get(id);
    const bytes = weights && (await (await this.folder(id)).readWeights());
    if (weights && bytes && weights.step >= (checkpoint?.step ?? 0)) return { step: weights.step, bytes };
    const found = checkpoint && (await this.checkpoint(id));
    if (found) {
      const { weightsOfCheckpoint } = await weightsOf();
      return {
        step: found.value.step,
        bytes: weightsOfCheckpoint(found.value, (await this.get(id)).classes),
      };
    }
    throw new Failure(
      'not-found',
      `The weights of ${name} are not available.`,
      'Weights are saved while a run trains, when it is paused, and when it is stopped.',
    );
  }

  // The runs that are open in this tab.

  /** Acquires a run for this tab; false if another tab has it open. */
  async hold(id: string): Promise<boolean> {
    const { locks } = await this.storage();
    const held = await locks.hold(id);
    if (held) this.update(id, { live: 'here' });
    return held;
  }

  release(id: string): void {
    void this.storage().then(({ locks }) => locks.release(id));
    this.open.delete(id);
    this.recording.delete(id);
    this.update(id, { live: null });
  }

  /** @param onChange receives what the person changes meanwhile, in this or another tab */
  async record(record: StoredRun, onChange: (about: RunAbout) => void): Promise<void> {
    const { id } = record;
    this.open.add(id);
    this.recording.set(id, onChange);
    this.put({ ...record, bytes: this.records.get(id)?.bytes ?? 0, live: 'here' });
    await this.hold(id);
  }

  /** Shows a run's current state here, before it is written. */
  show(record: StoredRun): void {
    const before = this.records.get(record.id);
    if (before) this.put({ ...before, ...record });
  }

  /** Writes a run's record: what it is when those before it are written. */
  async write(record: StoredRun): Promise<void> {
    const { id } = record;
    const { bytes = 0, live = null } = this.records.get(id) ?? {};
    this.put({ ...record, bytes, live });
    const { channel } = await this.storage();
    await this.writes.take(async () => {
      const folder = await this.folder(id);
      await folder.writeRecord(storedOf(this.records.get(id) ?? record));
      await this.measure(id);
    });
    tell(channel, { written: id });
  }

  /** Why the browser keeps no runs; undefined if it does. */
  get refused(): Failure | undefined {
    return this.refusal;
  }

  /** Whether there is, or was, a run of this id. */
  has(id: string): boolean {
    return this.records.has(id);
  }

  /** The number of the next run. */
  get nextNumber(): number {
    return 1 + Math.max(0, ...[...this.records.values()].map(({ number }) => number));
  }

  /** The last run, in order. */
  get last(): RunRecord | undefined {
    return [...this.records.values()].filter(isVisible).sort((a, b) => b.number - a.number)[0];
  }

  // What the person does.

  async change(id: string, about: RunAbout): Promise<void> {
    // Other changes may have come meanwhile.
    const write = async () => this.write({ ...(await this.get(id)), ...about });
    await this.get(id);
    if (this.open.has(id)) {
      this.recording.get(id)?.(about);
      await write();
      return;
    }
    const open = await this.turns.take(() => this.unlessOpen([id], write));
    if (open !== undefined) tell((await this.storage()).channel, { change: id, about });
  }

  /** Keeps a run that comes from elsewhere. */
  async add(
    run: Omit<StoredRun, 'id' | 'number'>,
    id: string,
    parts: { points: Points; weights?: Uint8Array; checkpoint?: Uint8Array<ArrayBuffer> },
  ): Promise<RunRecord> {
    await this.storage();
    const number = this.nextNumber;
    const taken = [...this.records.values()].some((one) => isVisible(one) && one.name === run.name);
    const record = { ...run, id, number, name: taken ? `${run.name} (${number})` : run.name };
    const folder = await this.folder(id);
    const log = new CurveLog(run.config.batchSize, parts.points);
    await folder.writeCurve(log);
    if (parts.weights) await folder.writeWeights(parts.weights);
    if (parts.checkpoint) await folder.checkpoints.write(parts.checkpoint);
    await this.write({ ...record, sketch: sketchOf(log) });
    await this.thin();
    return this.get(id);
  }

  /** @throws Failure `busy` if one is open; then none is deleted */
  async delete(ids: readonly string[]): Promise<void> {
    for (const id of ids) await this.get(id);
    const open = await this.turns.take(() =>
      this.unlessOpen(ids, async () => {
        for (const id of ids) {
          await this.write({ ...(await this.get(id)), deleted: Date.now() });
          this.release(id);
        }
      }),
    );
    if (open !== undefined) {
      const { name, live } = await this.get(open);
      const where = live === 'here' ? 'open' : 'open in another tab';
      throw new Failure('busy', `${name} is ${where}.`, 'Start another run there, or close that tab.');
    }
    await this.tellGone(ids);
    setTimeout(() => void this.purge(), UNDO_MS + 1000);
  }

  async restore(ids: readonly string[]): Promise<void> {
    await this.storage();
    for (const id of ids) {
      const { deleted: _, ...record } = this.records.get(id) ?? {};
      if ('id' in record) await this.write(record as StoredRun);
    }
  }

  /** Deletes the checkpoints of runs that are not open. Their weights stay. */
  async free(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      await this.get(id);
      await this.turns.take(() => this.unlessOpen([id], () => this.freeCheckpoint(id)));
    }
  }

  /** Frees the oldest runs while all together take more than the limit. Starred and open ones stay. */
  thin(): Promise<void> {
    return this.turns.take(async () => {
      await this.look();
      const { runs } = await this.all();
      const sum = () => [...this.records.values()].reduce((bytes, one) => bytes + one.bytes, 0);
      const old = runs.filter(({ starred, live }) => !starred && live === null).slice(0, -1);
      for (const work of [this.freeCheckpoint, this.freeWeights]) {
        for (const { id } of old) if (sum() > this.limit) await this.unlessOpen([id], () => work(id));
      }
    });
  }

  // Inside.

  /**
   * Works on runs, whose locks it holds meanwhile. Does nothing if one of them is open, here or in another tab, and returns
   * its id.
   */
  private async unlessOpen(ids: readonly string[], work: () => Promise<void>): Promise<string | undefined> {
    const { locks } = await this.storage();
    const acquired: string[] = [];
    try {
      for (const id of ids) {
        if (this.open.has(id)) return id;
        if (locks.isHere(id)) continue;
        if (!(await this.hold(id))) {
          this.update(id, { live: 'elsewhere' });
          return id;
        }
        acquired.push(id);
        await this.takeOver(id);
      }
      await work();
      return undefined;
    } finally {
      for (const id of acquired) this.release(id);
    }
  }

  /** Each write leaves what can be read if it is the last. */
  private readonly freeCheckpoint = async (id: string): Promise<void> => {
    const { checkpoint, weights: _, ...rest } = await this.get(id);
    if (!checkpoint) return;
    const folder = await this.folder(id);
    const kept = await this.weights(id).catch(() => undefined);
    if (kept) await folder.writeWeights(kept.bytes);
    await this.write({ ...rest, ...(kept ? { weights: { step: kept.step } } : {}) });
    await folder.checkpoints.remove();
    await this.measure(id);
  };

  private readonly freeWeights = async (id: string): Promise<void> => {
    const { weights: _, ...rest } = await this.get(id);
    await this.write(rest);
    await (await this.folder(id)).removeWeights();
    await this.measure(id);
  };

  private async storage(): Promise<RunStorage> {
    this.storageOpened ??= this.openStorage();
    return this.storageOpened;
  }

  /** Opens the browser's storage or, if it refuses, keeps runs in memory, and says so. */
  private async openStorage(): Promise<RunStorage> {
    try {
      const storage = await this.options.open();
      this.damaged = await storage.migrate();
      // What others write from now on may be newer than what is read here.
      storage.channel.addEventListener(
        'message',
        (event) => void this.hear((event as MessageEvent<Message>).data),
      );
      await this.load(storage);
      setInterval(() => void this.look(), LOOK_EVERY_MS);
      return storage;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.refusal = error;
      return inMemory();
    }
  }

  private async load({ files, locks }: RunStorage): Promise<void> {
    const ids = (await files.folders?.()) ?? (await files.list('')).map((path) => path.split('/')[0]);
    for (const id of new Set(ids)) {
      // Another tab may open one while those before are read.
      const live = (await locks.elsewhere()).has(id) ? 'elsewhere' : null;
      try {
        const { RunFolder: Folder } = await folders();
        const folder = new Folder(files, id);
        if (!live) await files.sweep?.(id);
        const record = await readRun(folder);
        const isGone = record?.deleted !== undefined && Date.now() - record.deleted > UNDO_MS;
        if (record && !isGone) this.records.set(id, { ...pausedUnlessLive(record, live), live });
        else if (!live && (await locks.hold(id))) {
          // What remains of a run that was being written, or deleted, unless another tab has just begun it.
          if (isGone || (await folder.readRecord()) === undefined) await folder.remove();
          locks.release(id);
        }
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.damaged.push(error.value);
      }
    }
  }

  /** Deletes for good what was deleted a while ago. */
  private purge(): Promise<void> {
    const isOver = (id: string) => {
      const { deleted } = this.records.get(id) ?? {};
      return deleted !== undefined && Date.now() - deleted >= UNDO_MS;
    };
    return this.turns.take(async () => {
      for (const id of [...this.records.keys()].filter(isOver)) {
        await this.unlessOpen([id], async () => {
          // Another tab may have restored it.
          if (!isOver(id)) return;
          this.records.delete(id);
          await (await this.folder(id)).remove();
        });
      }
    });
  }

  /** Finds out which runs are open elsewhere. */
  private async look(): Promise<void> {
    const { locks } = await this.storage();
    const elsewhere = await locks.elsewhere();
    for (const { id, live } of this.records.values()) {
      const now = locks.isHere(id) ? 'here' : elsewhere.has(id) ? 'elsewhere' : null;
      if (now === live) continue;
      this.update(id, { live: now });
      // A tab that was closed leaves a run that trained.
      if (live === 'elsewhere') await this.reread(id);
    }
  }

  private async hear(message: Message): Promise<void> {
    if ('written' in message) await this.reread(message.written);
    else if ('gone' in message) {
      for (const id of message.gone) this.update(id, { deleted: Date.now() });
      this.options.send({ type: 'runsGone', ids: message.gone });
    } else if (this.recording.has(message.change)) await this.change(message.change, message.about);
  }

  /** Shows what another tab has written. */
  private async reread(id: string): Promise<void> {
    const { locks } = await this.storage();
    if (locks.isHere(id)) return;
    const found = await readRun(await this.folder(id)).catch(unlessFailure);
    const live = (await locks.elsewhere()).has(id) ? 'elsewhere' : null;
    // It may be open here by now.
    if (found && !locks.isHere(id)) this.put({ ...pausedUnlessLive(found, live), live });
  }

  /** What another tab has left of a run whose lock was just acquired. */
  private async takeOver(id: string): Promise<void> {
    await this.writes.settled();
    const found = await readRun(await this.folder(id)).catch(unlessFailure);
    if (found) this.put({ ...pausedUnlessLive(found, null), live: 'here' });
  }

  private async measure(id: string): Promise<void> {
    this.update(id, { bytes: await (await this.folder(id)).size() });
  }

  private async tellGone(ids: readonly string[]): Promise<void> {
    const { channel } = await this.storage();
    tell(channel, { gone: [...ids] });
    this.options.send({ type: 'runsGone', ids: [...ids] });
  }

  private update(id: string, change: Partial<RunRecord>): void {
    const before = this.records.get(id);
    if (before) this.put({ ...before, ...change });
  }

  private put(record: RunRecord): void {
    this.records.set(record.id, record);
    if (isVisible(record)) this.options.send({ type: 'run', record });
  }
}

const isVisible = ({ deleted }: StoredRun): boolean => deleted === undefined;

/** The smoothed loss, for a small picture. */
export const sketchOf = (log: CurveLog): number[] => log.sketch('smoothLoss', 48).filter(Number.isFinite);
