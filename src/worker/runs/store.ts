/** The runs that the browser keeps. The worker alone reads and writes them. */
import { lazily } from '../../base/lazily.ts';
import { Failure, type FailureValue } from '../../base/result.ts';
import { standingOf } from '../../run/standing.ts';
import type { FoundCheckpoint } from '../../storage/checkpoints.ts';
import type { KeptRuns, RunRecord, RunsEvent, SavedRunEntry } from '../api.ts';
import { folderIn, readRecord, RunFiles } from './files.ts';
import { isOver, RunIndex } from './run-index.ts';
import { inMemory, type RunStorage } from './storage.ts';
import type { RunCheckpoint } from './stored/checkpoint.ts';
import { RunTabs } from './tabs.ts';
import type { RunTrash } from './trash.ts';

const trash = lazily(() => import('./trash.ts'));

/** Above so many bytes, the oldest runs lose their checkpoints, and then their weights. */
const STORAGE_LIMIT = 2e9;

export interface RunStoreOptions {
  /** @throws Failure `storage` if the browser has no place for runs */
  open(): Promise<RunStorage>;
  send(event: RunsEvent): void;
  limit?: number;
}

export class RunStore {
  readonly index: RunIndex;
  readonly files: RunFiles;
  readonly tabs: RunTabs;
  /** What the person deletes, and what there is no room for. */
  readonly trash: () => Promise<RunTrash>;
  readonly limit: number;
  private storage: Promise<RunStorage> | undefined;
  private refusal: Failure | undefined;
  private readonly damaged: FailureValue[] = [];

  constructor(private readonly options: RunStoreOptions) {
    const opened = () => this.opened();
    this.index = new RunIndex(options.send);
    this.files = new RunFiles(opened, this.index);
    this.tabs = new RunTabs(opened, this.index, this.files);
    this.limit = options.limit ?? STORAGE_LIMIT;
    this.trash = async () => {
      const { RunTrash: Trash } = await trash();
      await opened();
      return new Trash(this);
    };
  }

  /** All runs, the first one first. */
  async all(): Promise<KeptRuns> {
    await this.opened();
    const { damaged, refusal, limit, index } = this;
    return { runs: index.visible, damaged, limit, refusal: refusal?.value };
  }

  /** @throws Failure `not-found` */
  async get(id: string): Promise<RunRecord> {
    await this.opened();
    return this.index.get(id);
  }

  /** Why the browser keeps no runs; undefined if it does. */
  get refused(): Failure | undefined {
    return this.refusal;
  }

  /**
   * The run to offer after a reload: this tab's, else the last one, if it can be resumed and no other tab has it open.
   * @throws Failure `bad-file` if its checkpoints are damaged
   */
  async offered(preferred?: string): Promise<SavedRunEntry | undefined> {
    await this.tabs.look();
    const free = this.index.visible
      .filter(({ live }) => live !== 'elsewhere')
      .sort((a, b) => b.kept - a.kept || b.number - a.number);
    const own = free.find((one) => one.id === preferred);
    const run = own ?? free[0];
    const found = run?.checkpoint && (await this.files.checkpoint(run.id));
    if (!found) return undefined;
    if (run === own) await this.tabs.hold(run.id);
    const { id, model, dataset, kept: at } = run;
    const { step, epoch } = found.value;
    const standing = standingOf({ ...run, step, epoch });
    return { id, step, epoch, model, dataset, at, skipped: found.skipped, standing };
  }

  /**
   * A run to resume, which is open in this tab from now on: its newest intact checkpoint.
   * @throws Failure `not-found` if it is gone, has no checkpoint or is open in another tab, `bad-file` if it is damaged
   */
  take(id: string): Promise<FoundCheckpoint<RunCheckpoint>> {
    return this.tabs.inTurn(async () => {
      await this.get(id);
      return this.tabs.take(id, async () => {
        const found = await this.files.checkpoint(id);
        if (found) return found;
        throw new Failure(
          'not-found',
          'This run has no checkpoint to resume from.',
          'Fork it: a new run starts from its weights.',
        );
      });
    });
  }

  private opened(): Promise<RunStorage> {
    this.storage ??= this.open();
    return this.storage;
  }

  /** Opens the browser's storage or, if it refuses, keeps runs in memory, and says so. */
  private async open(): Promise<RunStorage> {
    try {
      const storage = await this.options.open();
      // What others write from now on may be newer than what is read here.
      this.tabs.listen(storage);
      await this.load(storage);
      this.tabs.watch();
      return storage;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.refusal = error;
      return inMemory();
    }
  }

  private async load(storage: RunStorage): Promise<void> {
    const { files, locks } = storage;
    const ids = (await files.folders?.()) ?? (await files.list('')).map((path) => path.split('/')[0]);
    for (const id of new Set(ids)) {
      // Another tab may open one while those before are read.
      const live = (await locks.elsewhere()).has(id) ? 'elsewhere' : null;
      try {
        const folder = await folderIn(storage, id);
        if (!live) await files.sweep?.(id);
        const record = await readRecord(folder, live);
        const isGone = record !== undefined && isOver(record);
        if (record && !isGone) this.index.load(record);
        else if (!live && (await locks.hold(id))) {
          // What remains of a run that was being written, or deleted, unless another tab has just begun it.
          if (isGone || ((await folder.readRecord()) === undefined && (await folder.isOwn())))
            await folder.remove();
          locks.release(id);
        }
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        this.damaged.push(error.value);
      }
    }
  }
}
