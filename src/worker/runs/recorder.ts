/**
 * Keeps the open run: its record, its curves and its checkpoints. They are written together, the curves first, so that a
 * checkpoint never lacks the curve that leads to it.
 */
import { Failure } from '../../base/result.ts';
import { uniqueId } from '../../base/unique-id.ts';
import { datasetChecksum } from '../../data/checksum.ts';
import type { Dataset } from '../../data/dataset.ts';
import { CurveLog } from '../../run/metrics/curve-log.ts';
import type { Evaluation, StepRow } from '../../run/metrics/rows.ts';
import type { RunFolder } from '../../storage/run-folder.ts';
import { actedOn, type Adjustment } from '../../run/settings/adjustments.ts';
import type { Checkpoint } from '../../train/checkpoint.ts';
import type { Position, RunState } from '../../train/listener.ts';
import type { Choices, RunConfig, StoredRun } from '../api.ts';
import { nameOf } from './names.ts';
import { evaluationsWith } from './evaluations.ts';
import type { RunCheckpoint } from './stored/checkpoint.ts';
import { sketchOf } from './files.ts';
import type { RunStore } from './store.ts';

/** Epochs of fast machines end more often than it makes sense to write. */
const WRITE_EVERY_MS = 2000;
/** The largest share of the time of a run that trains in which something is written, between its steps. */
const WRITE_SHARE = 0.05;
/** But what a slow disk would lose is no more than this. */
const LONGEST_INTERVAL_MS = 60_000;

/** What a new run's record says besides its settings. */
export type RunFacts = Pick<StoredRun, 'model' | 'dataset' | 'classes' | 'adapter' | 'software'>;

export interface RecorderOptions {
  store: RunStore;
  /** What the run begins with. */
  config: RunConfig;
  /** Changes that it comes with. */
  adjustments: readonly Adjustment[];
  dataset: Dataset;
  facts(): RunFacts;
  /** A run that resumes, with its curves up to the checkpoint. */
  from?: { record: StoredRun; curve: CurveLog };
  onRecording(id: string): void;
  onWritten(step: number): void;
  onFailure(failure: Failure): void;
}

export class RunRecorder {
  /** Undefined until the first step. */
  private record: StoredRun | undefined;
  private readonly curve: CurveLog;
  private config: RunConfig;
  private adjustments: readonly Adjustment[];
  private state: RunState = 'preparing';
  private trainingSince: number | undefined;
  private choices: Choices = {};
  /** The last checkpoint, and the one that is written. */
  private checkpoint: Checkpoint | undefined;
  private written: Checkpoint | undefined;
  private writtenAt = -Infinity;
  /** How long writing took the last time. */
  private writeMs = 0;
  /** Something must be written. */
  private dirty = false;
  private beginning: Promise<void> | undefined;
  private writing: Promise<void> | undefined;
  private folder: RunFolder | undefined;
  private ended = false;
  private isLetGo = false;

  constructor(private readonly options: RecorderOptions) {
    const { from, config, adjustments } = options;
    this.config = config;
    this.adjustments = adjustments;
    this.curve = from?.curve ?? new CurveLog(config.batchSize);
    if (from) this.beginning = this.begin(from.record);
  }

  /** Undefined until the first step. */
  get id(): string | undefined {
    return this.record?.id;
  }

  report(state: RunState, { step, epoch }: Position): void {
    const now = performance.now();
    const { record } = this;
    if (record && this.trainingSince !== undefined)
      this.change({ trainedMs: record.trainedMs + now - this.trainingSince });
    this.trainingSince = state === 'training' ? now : undefined;
    this.state = state;
    const halted = state === 'saving' || state === 'paused' || state === 'stopped' || state === 'failed';
    if (state === 'recovering' || (halted && state !== 'failed')) this.curve.cut(step);
    if (halted) this.curve.complete();
    this.change({ state, step, epoch });
    if (halted) this.save();
  }

  steps(rows: readonly StepRow[]): void {
    this.curve.add(rows);
    if (!this.record) this.beginning = this.begin(this.fresh());
  }

  evaluation({ confusion, ...evaluation }: Evaluation): void {
    if (!this.record) return;
    const { evaluations } = this.record;
    this.change({
      epoch: evaluation.epoch,
      evaluations: evaluationsWith(evaluations, [evaluation], evaluation.step),
      ...(confusion ? { confusion: [...confusion] } : {}),
    });
  }

  /** @param config what it began with; it changes only before the first step */
  adjusted(config: RunConfig, adjustments: readonly Adjustment[]): void {
    this.config = config;
    this.adjustments = adjustments;
    this.change({});
  }

  chosen(choices: Choices): void {
    this.choices = choices;
    this.change({ choices });
  }

  /** Writes it, unless one was just written. Failures are reported and do not stop the run. */
  save(checkpoint?: Checkpoint): void {
    this.checkpoint = checkpoint ?? this.checkpoint;
    const interval = Math.min(Math.max(WRITE_EVERY_MS, this.writeMs / WRITE_SHARE), LONGEST_INTERVAL_MS);
    if (checkpoint && performance.now() - this.writtenAt < interval) return;
    this.dirty = true;
    this.writing ??= this.write().finally(() => (this.writing = undefined));
  }

  /**
   * Another run replaces it: what it did is written, and other tabs may open it.
   * @param next the id of the run that replaces it, if that is kept: if it is the same one, it stays locked
   */
  async end(next?: string): Promise<void> {
    if (this.ended) return;
    if (this.record && this.state !== 'failed') {
      // A run that trains has done more steps than it last reported.
      const step = this.state === 'training' ? this.curve.lastStep : this.record.step;
      this.report('stopped', { step, epoch: this.record.epoch });
    }
    await this.done();
    this.ended = true;
    const { id } = this;
    if (id === undefined) return;
    const { store } = this.options;
    if (id !== next) store.tabs.release(id);
    const thin = async () => (await store.trash()).thin();
    await thin().catch((error: unknown) => this.fail(error));
  }

  /** The run has ended and may resume: what it did is written, and meanwhile it can be deleted, or opened by other tabs. */
  async letGo(): Promise<void> {
    await this.done();
    if (this.ended || this.id === undefined) return;
    this.isLetGo = true;
    this.options.store.tabs.release(this.id);
  }

  /** Before a run that was let go trains on: it is this tab's again, and kept even if it was deleted. False if another tab has it. */
  async takeBack(): Promise<boolean> {
    const { record, options } = this;
    if (!this.isLetGo || !record) return true;
    if (!(await options.store.tabs.hold(record.id))) return false;
    this.isLetGo = false;
    this.beginning = this.begin(record);
    await this.beginning;
    return true;
  }

  /** Resolves when everything is written, or has failed. */
  async done(): Promise<void> {
    // What a run did before it had a folder is written once it has one.
    await this.beginning;
    while (this.writing) await this.writing;
  }

  private async begin(record: StoredRun): Promise<void> {
    this.record = record;
    this.options.onRecording(record.id);
    try {
      await this.options.store.tabs.record(record, (about) => this.change(about));
      this.folder = await this.options.store.files.folder(record.id);
      this.save();
    } catch (error) {
      this.fail(error);
    }
  }

  private fresh(): StoredRun {
    const { store, facts } = this.options;
    const { config } = this;
    const number = store.index.nextNumber;
    const known = config.record !== undefined && store.index.find(config.record) !== undefined;
    const last = store.index.visible.at(-1);
    const { start, sweep } = config;
    const parent = start
      ? { id: start.run, name: start.name, step: start.step }
      : last && { id: last.id, name: last.name };
    return {
      id: known ? uniqueId() : (config.record ?? uniqueId()),
      name: nameOf(config.seed, number),
      number,
      parent,
      sweep,
      began: Date.now(),
      kept: Date.now(),
      config,
      ...facts(),
      state: this.state,
      step: this.curve.lastStep,
      epoch: 0,
      trainedMs: 0,
      evaluations: [],
      choices: this.choices,
      sketch: [],
      starred: false,
      note: '',
    };
  }

  private change(change: Partial<StoredRun>): void {
    if (!this.record) return;
    this.record = this.asTrained({ ...this.record, ...change });
    this.options.store.index.update(this.record.id, this.record);
  }

  /** The record with the settings that trained it. */
  private asTrained({ changes: _before, ...record }: StoredRun): StoredRun {
    const changes = actedOn(this.adjustments, record.step);
    const config = { ...this.config, record: record.id };
    return { ...record, config, ...(changes.length > 0 ? { changes } : {}) };
  }

  /** Writes until nothing is left to write. */
  private async write(): Promise<void> {
    while (this.dirty) {
      this.dirty = false;
      const { folder, record, checkpoint, options } = this;
      if (!folder || !record) return;
      this.writtenAt = performance.now();
      try {
        // Storage that was cleared meanwhile gets everything again.
        if ((this.written ?? options.from) && !(await folder.exists())) {
          this.curve.changedFrom = 0;
          this.written = undefined;
        }
        await folder.writeCurve(this.curve);
        const { config } = this;
        const isNew = checkpoint !== undefined && checkpoint !== this.written;
        if (isNew) {
          const sha256 = await datasetChecksum(options.dataset);
          const saved: RunCheckpoint = { ...checkpoint, run: config, sha256, at: Date.now() };
          await folder.writeCheckpoint(saved);
          this.written = checkpoint;
        }
        const now = performance.now();
        const training = this.trainingSince === undefined ? 0 : now - this.trainingSince;
        if (training > 0) this.trainingSince = now;
        this.record = this.asTrained({
          ...(this.record ?? record),
          kept: Date.now(),
          step: this.state === 'training' ? this.curve.lastStep : (this.record ?? record).step,
          trainedMs: (this.record ?? record).trainedMs + training,
          sketch: sketchOf(this.curve),
          ...(this.written ? { checkpoint: { step: this.written.step } } : {}),
        });
        await options.store.tabs.write(this.record);
        this.writeMs = performance.now() - this.writtenAt;
        const { refused } = options.store;
        if (refused) options.onFailure(refused);
        else if (isNew) options.onWritten(checkpoint.step);
      } catch (error) {
        this.fail(error);
      }
    }
  }

  private fail(error: unknown): void {
    if (!(error instanceof Failure)) throw error;
    this.options.onFailure(error);
  }
}
