/** The catalogue of models and data sets, and the page's run: types only. */
import type { FailureValue } from '../../base/result.ts';
import type { MemoryNeed } from '../../engine/need.ts';
import type { ConvChoices } from '../../engine/ops/conv/choice/layers.ts';
import type { Points } from '../../run/metrics/points.ts';
import type { Column, Evaluation } from '../../run/metrics/rows.ts';
import type { MatchRow } from '../../models/file/match.ts';
import type { Images, Model, ModelSummary } from '../../models/model.ts';
import type { LiveSettings, RunSettings } from '../../run/settings/table.ts';
import type { Adjustment, Changes } from '../../run/settings/adjustments.ts';
import type { Trouble } from '../../train/learning-watch.ts';
import type { Position, RunState } from '../../train/listener.ts';
import type { Speed } from '../../train/pacing.ts';
import type { RateTry } from '../../train/rescue.ts';
import type { Prediction } from '../../train/run.ts';
import type { ModelChoice } from '../builder/api.ts';
import type { DatasetEntry } from '../data/api.ts';
import type { ConvPin } from '../lab/api.ts';
import type { RunStart } from '../runs/api.ts';

declare module '../api.ts' {
  interface Parts {
    train: { calls: TrainApi; events: RunEvent };
  }
}

export type { MatchRow } from '../../models/file/match.ts';
export type { MemoryKind } from '../../engine/need.ts';

export interface ModelEntry extends ModelSummary, Pick<Model, 'name' | 'title' | 'description' | 'family'> {
  /** [C, H, W] of its input images. */
  inputShape: Model['input'];
}

export type ModelLayer = ModelEntry['layers'][number];

export interface Catalogue {
  models: ModelEntry[];
  datasets: DatasetEntry[];
}

/** The settings with which the page starts a run, and which it stores. */
export interface RunConfig extends RunSettings {
  model: ModelChoice;
  dataset: string;
  /** Algorithms of convolutions that were pinned by hand. */
  pins?: ConvPin[];
  /** Weights of another run to start from, instead of random ones. */
  start?: RunStart;
  /** The id under which the run is kept. Does not affect training. */
  record?: string;
  /** The sweep that the run belongs to. Does not affect training. */
  sweep?: { id: string; name: string };
}

export type { RunState } from '../../train/listener.ts';
export type { Trouble } from '../../train/learning-watch.ts';
export type { Speed } from '../../train/pacing.ts';
export type { Prediction } from '../../train/run.ts';

/** What trying three learning rates showed. */
export interface Rescue {
  /** The step from which they were tried. */
  from: number;
  /** How many steps each was tried for. */
  steps: number;
  /** The mean loss on the same images without learning, and that of guessing. */
  before: number;
  guessing: number;
  tries: Pick<RateTry, 'lr' | 'loss' | 'helps'>[];
  /** The run's settings with the best rate, with which it continues; absent if none helps, and then it is paused. */
  config?: RunConfig;
}

export type RunMemory =
  | (Pick<MemoryNeed, 'bytes' | 'kinds' | 'recomputed'> & { fits: true })
  /** `largestBatch` is undefined if not even one image fits. */
  | { fits: false; largestBatch: number | undefined };

/** Changes of settings that take effect immediately: undefined turns one off, if it can be off. */
export type RunChanges = Partial<LiveSettings>;

export type RunAdjustment = Adjustment;

export interface TrainApi {
  catalogue(): Catalogue;
  /** A model as it would train on a data set, or why it cannot. */
  modelFor(model: ModelChoice, images: Images): ModelEntry;
  /** The GPU memory that a run would need, without allocating any. */
  memory(config: RunConfig): RunMemory;
  /** Starts a run, or without settings resumes the open one. */
  train(config?: RunConfig): void;
  /** Pauses after the steps in flight. */
  pause(): void;
  /** Trains exactly one batch, then pauses; starts a run, or without settings continues the open one. */
  stepBatch(config?: RunConfig): void;
  /**
   * Starts at step 0 with these settings. A run that they continue to fit keeps its place in the GPU's memory and its
   * algorithms.
   * @param changes of settings at their steps, as in a run that is repeated. Default: none
   */
  restart(config: RunConfig, changes?: readonly RunAdjustment[]): void;
  /** Ends the run. Its model still predicts. */
  stop(): void;
  /** Resumes the run that was stopped, until another one starts. */
  resumeStopped(): void;
  /** Trains at most this many steps per second from now on, Infinity for full speed. */
  setPace(stepsPerSecond: number): void;
  /** The model's prediction for one image of C x H x W bytes, in the data set's own scale (0 to 255). */
  predict(image: Uint8Array): Prediction;
  /** Changes settings of the open run. Returns the current settings. */
  adjust(changes: RunChanges): RunConfig;
  /** Resumes a kept run from its checkpoint. Returns its settings. */
  resumeRun(id: string): RunConfig;
  /** Resumes a run that failed from its last checkpoint, with another learning rate. Returns its settings. */
  rollBack(lr: number): RunConfig;
  /**
   * Tries three learning rates for a few steps each, from the last state in which the open or failed run had learnt
   * something, and resumes it from there with the best one, if one helps.
   */
  rescue(): Rescue;
}

export type RunEvent =
  | ({
      type: 'state';
      runId: number;
      state: RunState;
      error?: FailureValue;
      /** The step of the checkpoint that a run that failed was rolled back to. */
      lastGood?: number;
    } & Position)
  /**
   * Rows of training steps in order, packed: `columns.length` numbers each; see `unpackRows`. After a recovery, steps
   * may be repeated: the later row replaces the earlier one.
   */
  | { type: 'steps'; runId: number; columns: readonly Column[]; rows: Float64Array }
  | { type: 'evaluation'; runId: number; evaluation: Evaluation }
  /** The network does not learn; without `trouble`, it learns again. */
  | { type: 'trouble'; runId: number; trouble: Trouble | undefined }
  /** How fast the run would train without a limit, about once per second. */
  | { type: 'speed'; runId: number; speed: Speed }
  /** All changes of settings during the run of this record, at every one and at the start of a run that has some. */
  | ({ type: 'adjusted'; runId: number; record: string | undefined } & Changes)
  /** A run's convolution algorithms, sent once, when they are chosen: they do not change later. */
  | { type: 'choices'; runId: number; layers: ConvChoices['layers'] }
  /** A run starts from trained weights: each tensor, and whether it was taken. */
  | { type: 'begun'; runId: number; rows: readonly MatchRow[] }
  /** Why a run uses other algorithms than expected. */
  | { type: 'notice'; runId: number; text: string }
  /** A checkpoint of the current run was written, or could not be; training continues in any case. */
  | { type: 'checkpoint'; runId: number; step: number; error?: FailureValue }
  /** The run pauses because a rule for stopping applies; the reason as text. */
  | { type: 'stopReason'; runId: number; reason: string }
  /** A task has paused the run, which resumes afterwards; or does no longer. */
  | { type: 'interrupted'; resumes: boolean }
  /** What a run that is resumed did before: its evaluations and its whole curves. */
  | { type: 'history'; runId: number; evaluations: readonly Evaluation[]; points: Points };

export type ChangesEvent = Extract<RunEvent, { type: 'adjusted' }>;
