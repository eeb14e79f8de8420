/** Runs kept in the browser: what is written while one trains, and what is there when the page comes again. */
import { Failure } from '../base/result.ts';
import { datasetChecksum } from '../data/checksum.ts';
import type { Dataset } from '../data/dataset.ts';
import { CheckpointWriter, newestWhole, type Found, type Generations } from '../storage/checkpoints.ts';
import { asCheckpoint, type Checkpoint } from '../train/checkpoint.ts';
import type { KeptRunEntry, RunConfig } from './api.ts';

/** What a file holds. */
export interface KeptRun extends Checkpoint {
  /** What the page started the run with. */
  run: RunConfig;
  /** Of the data set; see `datasetChecksum`. */
  sha256: string;
  /** When it was kept, as Date has it. */
  at: number;
}

/** Epochs of fast machines end more often than it makes sense to write. */
const WRITE_EVERY_MS = 2000;

export interface KeepingOptions {
  /** @throws Failure `storage` if the browser has no place for it */
  open(): Promise<Generations>;
  onWritten(kept: KeptRun): void;
  onFailure(failure: Failure): void;
}

export class Keeping {
  private opened: Promise<Generations> | undefined;
  private writer: CheckpointWriter<KeptRun> | undefined;
  private writtenAt = -Infinity;

  constructor(private readonly options: KeepingOptions) {}

  /**
   * The newest whole run, or undefined if none is kept.
   * @throws Failure `storage`, or `bad-file` if there are some and all are damaged
   */
  async newest(): Promise<Found<KeptRun> | undefined> {
    return newestWhole(await this.generations(), (name, value) => {
      const run = asCheckpoint(name, value) as KeptRun;
      if (typeof run.sha256 !== 'string' || typeof run.run !== 'object') {
        throw new Failure('bad-file', `${name}: the run is not one of this page`);
      }
      return run;
    });
  }

  /** The newest, for the page. */
  async entry(): Promise<KeptRunEntry | undefined> {
    const found = await this.newest();
    if (!found) return undefined;
    const { step, epoch, config, dataset, at } = found.value;
    return {
      ...{ step, epoch, at, model: config.model.title, dataset: dataset.name },
      passedOver: found.passedOver,
    };
  }

  async forget(): Promise<void> {
    await (await this.generations()).remove();
  }

  /**
   * Writes a copy, unless that was done a moment ago. Refusals are told, and end nothing.
   * @param atOnce the run rests: it is written however short that is ago
   */
  async offer(checkpoint: Checkpoint, run: RunConfig, dataset: Dataset, atOnce: boolean): Promise<void> {
    const now = performance.now();
    if (!atOnce && now - this.writtenAt < WRITE_EVERY_MS) return;
    this.writtenAt = now;
    const { onWritten, onFailure } = this.options;
    try {
      const sha256 = await datasetChecksum(dataset);
      const generations = await this.generations();
      // Behind all waiting: two offers in one breath would make two writers, which are in each other's way.
      this.writer ??= new CheckpointWriter(generations, onWritten, onFailure);
      this.writer.offer({ ...checkpoint, run, sha256, at: Date.now() });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      onFailure(error);
    }
  }

  /** Answers when all that was offered is written, or could not be. */
  async done(): Promise<void> {
    await this.writer?.done();
  }

  /** @throws Failure `bad-input` if the images are not those that the run has learnt from */
  async requireSame(kept: KeptRun, dataset: Dataset): Promise<void> {
    if ((await datasetChecksum(dataset)) === kept.sha256) return;
    throw new Failure(
      'bad-input',
      `The run was trained on other images than ${dataset.name} has here now.`,
      'Begin a new run, or bring the images back that it was trained on.',
    );
  }

  private generations(): Promise<Generations> {
    this.opened ??= this.options.open().catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }
}
