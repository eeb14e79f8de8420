/** Runs saved in the browser: checkpoints written while one trains, and restored when the page is reloaded. */
import { lazily } from '../../base/lazily.ts';
import { Failure } from '../../base/result.ts';
import { datasetChecksum } from '../../data/checksum.ts';
import type { Dataset } from '../../data/dataset.ts';
import { CheckpointWriter, newestWhole, type Found, type Generations } from '../../storage/checkpoints.ts';
import type { Checkpoint } from '../../train/checkpoint.ts';
import type { SavedRunEntry, RunConfig } from '../api.ts';

const reading = lazily(() => import('./stored-run.ts'));

/** The contents of a checkpoint file. */
export interface SavedRun extends Checkpoint {
  /** What the page started the run with. */
  run: RunConfig;
  /** Of the data set; see `datasetChecksum`. */
  sha256: string;
  /** When it was saved, in milliseconds as Date.now() returns them. */
  at: number;
}

/** Epochs of fast machines end more often than it makes sense to write. */
const WRITE_EVERY_MS = 2000;

/** A place where runs are saved: see storage/run-places.ts. */
export interface Places {
  take(id: string): Promise<Generations | undefined>;
  free(): Promise<{ id: string; slots: Generations }[]>;
  remove(id: string): Promise<void>;
}

export interface SavedRunsOptions {
  /** @throws Failure `storage` if the browser has no place for it */
  open(): Promise<Places>;
  onWritten(saved: SavedRun): void;
  onFailure(failure: Failure): void;
}

interface FoundRun extends Found<SavedRun> {
  /** The id of its place. */
  id: string;
}

/** A run's place is named by the page's id of the run. */
const placeOf = ({ record }: RunConfig): string => record ?? 'run';

export class SavedRuns {
  private opened: Promise<Places> | undefined;
  private readonly writers = new Map<string, Promise<CheckpointWriter<SavedRun>>>();
  /** The place that was written last; all other places of ended runs are deleted. */
  private last: string | undefined;
  private tidying: Promise<void> = Promise.resolve();
  private writtenAt = -Infinity;

  constructor(private readonly options: SavedRunsOptions) {}

  /**
   * The newest intact run that no other tab has open; undefined if none is saved.
   * @param preferred the place of a run to prefer to newer ones; it belongs to this tab from now on
   * @throws Failure `storage`, or `bad-file` if all saved runs are damaged
   */
  async entry(preferred?: string): Promise<SavedRunEntry | undefined> {
    const found = await this.newest(preferred);
    if (!found) return undefined;
    if (found.id === preferred) await (await this.places()).take(preferred);
    const { step, epoch, config, dataset, at } = found.value;
    return {
      id: found.id,
      step,
      epoch,
      at,
      model: config.model.title,
      dataset: dataset.name,
      skipped: found.skipped,
    };
  }

  /**
   * A run to resume, which belongs to this tab from now on.
   * @throws Failure `not-found` if it is gone, or active in another tab
   */
  async take(id: string): Promise<SavedRun> {
    const slots = await (await this.places()).take(id);
    if (!slots) {
      throw new Failure(
        'not-found',
        'This run is active in another tab.',
        'Switch to that tab, or select Train to start a new run.',
      );
    }
    const found = await newestWhole(slots, (await reading()).asSavedRun);
    if (found) return found.value;
    await this.delete(id);
    throw new Failure('not-found', 'This run is no longer saved.', 'Select Train to start a new run.');
  }

  async delete(id: string): Promise<void> {
    this.writers.delete(id);
    await (await this.places()).remove(id);
  }

  /**
   * Writes a checkpoint, unless one was just written. Failures are reported and do not stop the run.
   * @param atOnce the run is paused: write immediately, however recent the last one
   */
  async offer(checkpoint: Checkpoint, run: RunConfig, dataset: Dataset, atOnce: boolean): Promise<void> {
    const now = performance.now();
    if (!atOnce && now - this.writtenAt < WRITE_EVERY_MS) return;
    this.writtenAt = now;
    try {
      const sha256 = await datasetChecksum(dataset);
      const writer = await this.writerOf(placeOf(run));
      writer.offer({ ...checkpoint, run, sha256, at: Date.now() });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      this.options.onFailure(error);
    }
  }

  /** Resolves when everything offered is written, or has failed. */
  async done(): Promise<void> {
    for (const writer of this.writers.values()) await (await writer).done();
    await this.tidying;
  }

  /** @throws Failure `bad-input` if the images differ from those that the run was trained on */
  async requireSame(saved: SavedRun, dataset: Dataset): Promise<void> {
    if ((await datasetChecksum(dataset)) === saved.sha256) return;
    throw new Failure(
      'bad-input',
      `The images of ${dataset.name} have changed since this run was trained.`,
      'Start a new run, or import the original images again.',
    );
  }

  private async newest(preferred?: string): Promise<FoundRun | undefined> {
    let newest: FoundRun | undefined;
    let damage: Failure | undefined;
    for (const { id, slots } of await (await this.places()).free()) {
      try {
        const found = await newestWhole(slots, (await reading()).asSavedRun);
        if (!found) continue;
        if (id === preferred) return { ...found, id };
        if (found.value.at >= (newest?.value.at ?? 0)) newest = { ...found, id };
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        damage = error;
      }
    }
    if (!newest && damage) throw damage;
    return newest;
  }

  /** The only writer of a place, because two would interfere. */
  private writerOf(id: string): Promise<CheckpointWriter<SavedRun>> {
    const writer = this.writers.get(id) ?? this.writerFor(id);
    this.writers.set(id, writer);
    writer.catch(() => this.writers.delete(id));
    return writer;
  }

  private async writerFor(id: string): Promise<CheckpointWriter<SavedRun>> {
    const { onWritten, onFailure } = this.options;
    const slots = await (await this.places()).take(id);
    if (!slots) throw new Failure('storage', 'the run is open in another tab');
    const written = (saved: SavedRun) => {
      onWritten(saved);
      if (this.last !== id) this.tidying = this.tidying.then(() => this.leaveOnly(id)).catch(onFailure);
      this.last = id;
    };
    return new CheckpointWriter(slots, written, onFailure);
  }

  /** Deletes earlier runs, but not those of other tabs. */
  private async leaveOnly(id: string): Promise<void> {
    const places = await this.places();
    for (const { id: other } of await places.free()) {
      if (other === id) continue;
      await (await this.writers.get(other))?.done();
      await this.delete(other);
    }
  }

  private places(): Promise<Places> {
    this.opened ??= this.options.open().catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }
}
