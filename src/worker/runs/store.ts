/**
 * The runs that the browser keeps, each in a folder of its own. The worker alone reads and writes them; tabs tell each other
 * what has changed, and see by the runs' locks which are open where.
 */
import { lazily } from '../../base/lazily.ts';
import { Failure, type FailureValue } from '../../base/result.ts';
import { CurveLog } from '../../run/metrics/curve-log.ts';
import type { HistogramRecord } from '../../run/metrics/histograms.ts';
import type { Points } from '../../run/metrics/points.ts';
import type { Found } from '../../storage/checkpoints.ts';
import { MemoryFileStore, type FileStore } from '../../storage/file-store.ts';
import type { RunFolder } from '../../storage/run-folder.ts';
import type { RunLocks } from '../../storage/run-locks.ts';
import type { KeptRuns, RunAbout, RunRecord, RunsEvent, SavedRunEntry, StoredRun } from '../api.ts';
import type { SavedRun } from './saved-run.ts';

const folders = lazily(() => import('../../storage/run-folder.ts'));
const checking = lazily(() => import('./record.ts'));
const reading = lazily(() => import('./saved-run.ts'));
const weightsOf = lazily(() => import('./weights.ts'));

/** Above so many bytes, the oldest runs lose their checkpoints, and then their weights. */
const STORAGE_LIMIT = 2e9;
/** How long a deleted run can be restored. */
const UNDO_MS = 60_000;
/** How often tabs look which runs are open elsewhere. */
const LOOK_EVERY_MS = 2000;

/** What the browser offers. */
export interface RunStorage {
  files: FileStore & { sweep?(path: string): Promise<void> };
  locks: RunLocks;
  /** Reaches the other tabs. */
  channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>;
  /** Moves what earlier versions kept into folders. Returns why some of it cannot be read. */
  migrate(): Promise<FailureValue[]>;
}

/** What tabs tell each other. */
type Message =
  | { written: string }
  | { gone: string[] }
  /** To the tab in which the run is open. */
  | { change: string; about: RunAbout };

export interface RunStoreOptions {
  /** @throws Failure `storage` if the browser has no place for runs */
  open(): Promise<RunStorage>;
  send(event: RunsEvent): void;
  limit?: number;
}

export class RunStore {
  private readonly records = new Map<string, RunRecord>();
  private opened: Promise<RunStorage> | undefined;
  private refusal: Failure | undefined;
  private damaged: FailureValue[] = [];
  /** Called when the person changes a run that is open here. */
  private readonly recording = new Map<string, (about: RunAbout) => void>();
  /** The last write of a record; the next one waits. */
  private writing: Promise<void> = Promise.resolve();
  readonly limit: number;

  constructor(private readonly options: RunStoreOptions) {
    this.limit = options.limit ?? STORAGE_LIMIT;
  }

  /** All runs, the first one first. */
  async all(): Promise<KeptRuns> {
    await this.storage();
    const runs = [...this.records.values()].filter(isVisible).sort((a, b) => a.number - b.number);
    const { damaged, refusal, limit } = this;
    return { runs, damaged, limit, ...(refusal ? { refusal: refusal.value } : {}) };
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
    const { runs } = await this.all();
    await this.look();
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
  async take(id: string): Promise<Found<SavedRun>> {
    await this.get(id);
    if (!(await this.hold(id))) {
      throw new Failure(
        'not-found',
        'This run is active in another tab.',
        'Switch to that tab, or select Train to start a new run.',
      );
    }
    const found = await this.checkpoint(id);
    if (found) return found;
    this.release(id);
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
    const files = found && (await (await this.folder(id)).checkpoints.read());
    const file = files?.find(({ name }) => name === found?.name);
    return file && Uint8Array.from(file.bytes);
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
    this.recording.delete(id);
    this.update(id, { live: null });
  }

  /** @param onChange receives what the person changes meanwhile, in this or another tab */
  async record(record: StoredRun, onChange: (about: RunAbout) => void): Promise<void> {
    await this.hold(record.id);
    this.recording.set(record.id, onChange);
    this.put({ ...record, bytes: this.records.get(record.id)?.bytes ?? 0, live: 'here' });
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
    const before = this.writing;
    const work = async () => {
      await before;
      const folder = await this.folder(id);
      await folder.writeRecord(storedOf(this.records.get(id) ?? record));
      await this.measure(id);
    };
    const done = work();
    this.writing = done.catch(() => undefined);
    await done;
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
    const { channel } = await this.storage();
    const record = await this.get(id);
    if (record.live === 'elsewhere') {
      tell(channel, { change: id, about });
      return;
    }
    this.recording.get(id)?.(about);
    // Other changes may have come meanwhile.
    await this.write({ ...(this.records.get(id) ?? record), ...about });
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
    await this.look();
    const all = await Promise.all(ids.map((id) => this.get(id)));
    const open = all.find(({ live, id }) => live === 'elsewhere' || this.recording.has(id));
    if (open) {
      const where = open.live === 'here' ? 'open' : 'open in another tab';
      throw new Failure('busy', `${open.name} is ${where}.`, 'Start another run there, or close that tab.');
    }
    for (const record of all) {
      this.release(record.id);
      await this.write({ ...record, deleted: Date.now() });
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
    await this.look();
    for (const id of ids) {
      const record = await this.get(id);
      if (!record.checkpoint || record.live === 'elsewhere' || this.recording.has(id)) continue;
      const folder = await this.folder(id);
      const kept = await this.weights(id).catch(() => undefined);
      if (kept) await folder.writeWeights(kept.bytes);
      const { checkpoint: _, weights: _old, ...rest } = record;
      await this.write({ ...rest, ...(kept ? { weights: { step: kept.step } } : {}) });
      await folder.checkpoints.remove();
      await this.measure(id);
    }
  }

  /** Frees the oldest runs while all together take more than the limit. Starred and open ones stay. */
  async thin(): Promise<void> {
    await this.look();
    const { runs } = await this.all();
    const sum = () => [...this.records.values()].reduce((bytes, one) => bytes + one.bytes, 0);
    const old = runs.filter(({ starred, live }) => !starred && live === null).slice(0, -1);
    for (const { id } of old) if (sum() > this.limit) await this.free([id]);
    for (const { id } of old) {
      if (sum() <= this.limit) return;
      const { weights: _, ...rest } = await this.get(id);
      await (await this.folder(id)).removeWeights();
      await this.write(rest);
    }
  }

  // Inside.

  private async storage(): Promise<RunStorage> {
    this.opened ??= this.open();
    return this.opened;
  }

  /** Opens the browser's storage or, if it refuses, keeps runs in memory, and says so. */
  private async open(): Promise<RunStorage> {
    try {
      const storage = await this.options.open();
      this.damaged = await storage.migrate();
      await this.load(storage);
      storage.channel.addEventListener(
        'message',
        (event) => void this.hear((event as MessageEvent<Message>).data),
      );
      setInterval(() => void this.look(), LOOK_EVERY_MS);
      return storage;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.refusal = error;
      return inMemory();
    }
  }

  private async load({ files, locks }: RunStorage): Promise<void> {
    const elsewhere = await locks.elsewhere();
    const ids = new Set((await files.list('')).map((path) => path.split('/')[0]));
    for (const id of ids) {
      const live = elsewhere.has(id) ? 'elsewhere' : null;
      try {
        const { RunFolder: Folder } = await folders();
        const folder = new Folder(files, id);
        if (!live) await files.sweep?.(id);
        const found = await folder.readRecord();
        if (found === undefined) {
          // What remains of a run that was being written, or deleted.
          if (!live) await folder.remove();
          continue;
        }
        const { asStoredRun } = await checking();
        const record = asStoredRun(`the run ${nameIn(found)}`, found);
        if (!live && record.deleted !== undefined && Date.now() - record.deleted > UNDO_MS)
          await folder.remove();
        else this.records.set(id, { ...atRest(record, live), bytes: await folder.size(), live });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.damaged.push(error.value);
      }
    }
  }

  /** Deletes for good what was deleted a while ago. */
  private async purge(): Promise<void> {
    for (const { id, deleted, live } of this.records.values()) {
      if (deleted === undefined || live !== null || Date.now() - deleted < UNDO_MS) continue;
      this.records.delete(id);
      await (await this.folder(id)).remove();
    }
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

  /** Takes over what another tab has written. */
  private async reread(id: string): Promise<void> {
    const { locks } = await this.storage();
    if (locks.isHere(id)) return;
    const folder = await this.folder(id);
    try {
      const found = await folder.readRecord();
      if (found === undefined) return;
      const { asStoredRun } = await checking();
      const live = (await locks.elsewhere()).has(id) ? 'elsewhere' : null;
      const record = atRest(asStoredRun(`the run ${nameIn(found)}`, found), live);
      this.put({ ...record, bytes: await folder.size(), live });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
    }
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

function tell(channel: RunStorage['channel'], message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no origin
  channel.postMessage(message);
}

const isVisible = ({ deleted }: StoredRun): boolean => deleted === undefined;

/** The smoothed loss, for a small picture. */
export const sketchOf = (log: CurveLog): number[] => log.sketch('smoothLoss', 48).filter(Number.isFinite);

/** A run that was training when its tab was closed is paused. */
const atRest = (record: StoredRun, live: RunRecord['live']): StoredRun =>
  live === null && ['preparing', 'training', 'saving', 'recovering'].includes(record.state)
    ? { ...record, state: 'paused' }
    : record;

function storedOf(record: StoredRun): StoredRun {
  const { bytes: _bytes, live: _live, ...stored } = record as RunRecord;
  return stored;
}

const nameIn = (value: unknown): string =>
  String((value as { name?: unknown } | null)?.name ?? '').slice(0, 80);

/** For browsers that refuse storage, as some do in private windows. */
function inMemory(): RunStorage {
  const held = new Set<string>();
  const locks = {
    hold: (id: string) => Promise.resolve(Boolean(held.add(id))),
    release: (id: string) => void held.delete(id),
    isHere: (id: string) => held.has(id),
    elsewhere: () => Promise.resolve(new Set<string>()),
  } as unknown as RunLocks;
  const channel = { postMessage: () => undefined, addEventListener: () => undefined };
  return { files: new MemoryFileStore(), locks, channel, migrate: () => Promise.resolve([]) };
}
