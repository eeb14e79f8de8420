/** Runs saved in the browser: checkpoints written while one trains, and restored when the page is reloaded. */
import { lazily } from '../../base/lazily.ts';
import { Failure } from '../../base/result.ts';
import { datasetChecksum } from '../../data/checksum.ts';
import type { Dataset } from '../../data/dataset.ts';
import { CheckpointWriter, newestWhole, type Found, type Generations } from '../../storage/checkpoints.ts';
import type { Checkpoint } from '../../train/checkpoint.ts';
import type { KeptRunEntry, RunConfig } from '../api.ts';

const reading = lazily(() => import('./stored-run.ts'));

/** The contents of a checkpoint file. */
export interface KeptRun extends Checkpoint {
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

export interface KeepingOptions {
  /** @throws Failure `storage` if the browser has no place for it */
  open(): Promise<Places>;
  onWritten(kept: KeptRun): void;
  onFailure(failure: Failure): void;
}

interface FoundRun extends Found<KeptRun> {
  /** Of its place. */
  id: string;
}

/** A run's place has the page's id of the run as its name, so that each run has its own. */
const placeOf = ({ record }: RunConfig): string => record ?? 'run';

export class Keeping {
  private opened: Promise<Places> | undefined;
  private readonly writers = new Map<string, Promise<CheckpointWriter<KeptRun>>>();
  /** The place that was written last; all other places of ended runs are deleted. */
  private last: string | undefined;
  private tidying: Promise<void> = Promise.resolve();
  private writtenAt = -Infinity;

  constructor(private readonly options: KeepingOptions) {}

  /**
   * The newest intact run that no other tab has open; undefined if none is saved.
   * @param wanted the place of the one that comes before any newer one, and is this tab's from now on
   * @throws Failure `storage`, or `bad-file` if there are some and all are damaged
   */
  async entry(wanted?: string): Promise<KeptRunEntry | undefined> {
    const found = await this.newest(wanted);
    if (!found) return undefined;
    if (found.id === wanted) await (await this.places()).take(wanted);
    const { step, epoch, config, dataset, at } = found.value;
    return {
      id: found.id,
      step,
      epoch,
      at,
      model: config.model.title,
      dataset: dataset.name,
      passedOver: found.passedOver,
    };
  }

  /**
   * A run to go on with, which is this tab's from now on.
   * @throws Failure `not-found` if it is gone, or active in another tab
   */
  async take(id: string): Promise<KeptRun> {
    const slots = await (await this.places()).take(id);
    if (!slots) {
      throw new Failure(
        'not-found',
        'This run is active in another tab.',
        'Switch to that tab, or select Train to start a new run.',
      );
    }
    const found = await newestWhole(slots, (await reading()).asKeptRun);
    if (found) return found.value;
    await this.forget(id);
    throw new Failure('not-found', 'This run is no longer saved.', 'Select Train to start a new run.');
  }

  async forget(id: string): Promise<void> {
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

  /** Answers when all that was offered is written, or could not be. */
  async done(): Promise<void> {
    for (const writer of this.writers.values()) await (await writer).done();
    await this.tidying;
  }

  /** @throws Failure `bad-input` if the images are not those that the run has learnt from */
  async requireSame(kept: KeptRun, dataset: Dataset): Promise<void> {
    if ((await datasetChecksum(dataset)) === kept.sha256) return;
    throw new Failure(
      'bad-input',
      `The images of ${dataset.name} have changed since this run was trained.`,
      'Start a new run, or import the original images again.',
    );
  }

  private async newest(wanted?: string): Promise<FoundRun | undefined> {
    let newest: FoundRun | undefined;
    let damage: Failure | undefined;
    for (const { id, slots } of await (await this.places()).free()) {
      try {
        const found = await newestWhole(slots, (await reading()).asKeptRun);
        if (!found) continue;
        if (id === wanted) return { ...found, id };
        if (found.value.at >= (newest?.value.at ?? 0)) newest = { ...found, id };
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        damage = error;
      }
    }
    if (!newest && damage) throw damage;
    return newest;
  }

  /** What writes to a place: one alone, since two would be in each other's way. */
  private writerOf(id: string): Promise<CheckpointWriter<KeptRun>> {
    const writer = this.writers.get(id) ?? this.writerFor(id);
    this.writers.set(id, writer);
    writer.catch(() => this.writers.delete(id));
    return writer;
  }

  private async writerFor(id: string): Promise<CheckpointWriter<KeptRun>> {
    const { onWritten, onFailure } = this.options;
    const slots = await (await this.places()).take(id);
    if (!slots) throw new Failure('storage', 'the run is open in another tab');
    const written = (kept: KeptRun) => {
      onWritten(kept);
      if (this.last !== id) this.tidying = this.tidying.then(() => this.leaveOnly(id)).catch(onFailure);
      this.last = id;
    };
    return new CheckpointWriter(slots, written, onFailure);
  }

  /** A new run takes the place of those before it, but not of other tabs' runs. */
  private async leaveOnly(id: string): Promise<void> {
    const places = await this.places();
    for (const { id: other } of await places.free()) {
      if (other === id) continue;
      await (await this.writers.get(other))?.done();
      await this.forget(other);
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
