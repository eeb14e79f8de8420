/** What there is to train with, and the run that the page sees: types only. */
import type { Augmentation } from '../../base/augmentation.ts';
import type { FailureValue, Result } from '../../base/result.ts';
import type { MemoryNeed } from '../../engine/need.ts';
import type { ConvChoices } from '../../engine/ops/conv/choice/layers.ts';
import type { Model, ModelSummary } from '../../models/model.ts';
import type { Adjustable, Adjustment } from '../../train/adjustments.ts';
import type { Answer } from '../../train/session.ts';
import type { SessionState } from '../../train/listener.ts';
import type { Stops } from '../../train/stops.ts';
import type { ModelChoice } from '../builder/api.ts';
import type { DatasetEntry } from '../data/api.ts';
import type { ConvPin } from '../lab/api.ts';
import type { RunStart } from '../runs/api.ts';

declare module '../api.ts' {
  interface Parts {
    train: { calls: TrainApi; events: RunEvent };
  }
}

export type { MemoryKind } from '../../engine/need.ts';

export interface ModelEntry extends ModelSummary, Pick<Model, 'name' | 'title' | 'description' | 'family'> {
  /** [C, H, W] of the images it takes. */
  inputShape: Model['input'];
}

export type ModelLayer = ModelEntry['layers'][number];

export interface PresetEntry {
  name: string;
  title: string;
  /** What comes of it, and why. */
  description: string;
  /** Whether it is worth waiting for without a GPU. */
  light: boolean;
  config: RunConfig;
}

/** A way for the learning rate to change over a run. */
export interface ScheduleEntry {
  name: string;
  /** "falls along half a cosine wave" */
  summary: string;
}

export interface Catalogue {
  presets: PresetEntry[];
  schedules: ScheduleEntry[];
  models: ModelEntry[];
  datasets: DatasetEntry[];
  optimizers: OptimizerEntry[];
}

export interface OptimizerEntry {
  name: OptimizerName;
  title: string;
  /** A learning rate that trains LeNet-5 well. */
  defaultLr: number;
}

export type OptimizerName = 'sgd' | 'adam' | 'adamw' | 'rmsprop';

export interface RunConfig {
  model: ModelChoice;
  dataset: string;
  batchSize: number;
  optimizer: { name: OptimizerName; lr: number; momentum: number; nesterov: boolean; weightDecay: number };
  /** How training images are varied. Default: not at all. */
  augmentation?: Augmentation;
  seed: number;
  /** After so many epochs the run rests. Default: none. */
  epochs?: number;
  /** How the learning rate changes over all `epochs`, which have to be set. Default: it stays. */
  schedule?: { name: string; warmupEpochs?: number };
  /** 0 to below 1: of the wanted probability, what all classes share. */
  labelSmoothing?: number;
  /** The norm that larger gradients are scaled down to. */
  clipNorm?: number;
  /** How slowly averages of the weights forget, 0 to below 1. */
  ema?: number;
  /** How precisely what layers put out is stored: `mixed` in 16 bits where that does no harm. Default: in 32 bits. */
  precision?: 'mixed';
  /** When the run rests by itself: at a test accuracy, 0 to 1, or after so many epochs in which it gets no better. */
  stops?: Stops;
  /** Convolutions whose algorithm is set by hand. */
  pins?: ConvPin[];
  /** What it begins with of another run, in place of drawn weights. */
  start?: RunStart;
  /** The page's own number of the run, the same when it goes on after a reload. Changes nothing of the run. */
  record?: string;
}

/**
 * idle: nothing trained yet. preparing: compiling and uploading. training, paused: as they say. evaluating counts as
 * training. recovering: the device was lost and is being replaced. stopped: ended by the user; the model still answers.
 * failed: ended by an error.
 */
export type RunState = SessionState;

/** What one row of a `steps` event holds, in order. */
export const STEP_COLUMNS = [
  'step',
  'loss',
  'accuracy',
  'imagesPerSecond',
  'learningRate',
  'gradientNorm',
] as const;

export type RunMemory =
  | (Pick<MemoryNeed, 'bytes' | 'kinds' | 'again'> & { fits: true })
  /** `largestBatch` is undefined where not even one image fits. */
  | { fits: false; largestBatch: number | undefined };

/** The model's answer for one image. */
export type Prediction = Answer;

/** What acts at once, from the next step on. Momentum is of SGD only. */
export interface RunChanges extends Partial<Adjustable> {
  /** All rules: those that are left out hold no more. */
  stops?: Stops;
}

export type RunAdjustment = Adjustment;

/** A run of an earlier visit that can go on. */
export interface KeptRunEntry {
  /** The `record` of its settings. */
  id: string;
  step: number;
  epoch: number;
  /** For people: "ResNet-8". */
  model: string;
  dataset: string;
  /** When it was kept, in milliseconds as Date has them. */
  at: number;
  /** Why the last one that was kept is not this one. */
  passedOver: readonly FailureValue[];
}

export interface TrainApi {
  catalogue(): Promise<Catalogue>;
  /** What a run would need of the GPU's memory, before any of it is taken. */
  memory(config: RunConfig): Promise<Result<RunMemory>>;
  /** Starts a run, or goes on with the paused one. */
  train(config: RunConfig): Promise<Result<void>>;
  /** Stops after the step in flight; the run can go on. */
  pause(): Promise<void>;
  /** Trains exactly one batch, then pauses; starts a run if there is none. */
  stepBatch(config: RunConfig): Promise<Result<void>>;
  /** Starts the current run again from step 0 with the same seed and settings. */
  restart(): Promise<Result<void>>;
  /** Ends the run. Its model goes on answering `predict`. */
  stop(): Promise<void>;
  /** The model's answer for one image of C x H x W bytes, in the data set's own scale (0 to 255). */
  predict(image: Uint8Array): Promise<Result<Prediction>>;
  /** Changes the open run. Answers what it goes by now. */
  adjust(changes: RunChanges): Promise<Result<RunConfig>>;
  /**
   * The run that was kept last, if there is one that no other tab goes on with. Starts nothing.
   * @param wanted the id of the one that comes before any newer one: this tab's own of before a reload
   */
  keptRun(wanted?: string): Promise<Result<KeptRunEntry | undefined>>;
  /** Goes on with it, and answers what it was started with. */
  resumeRun(id: string): Promise<Result<RunConfig>>;
  forgetRun(id: string): Promise<Result<void>>;
  /** Goes on with a run that failed, from its last good state, with another learning rate; answers what it is now. */
  goBack(lr: number): Promise<Result<RunConfig>>;
}

export type RunEvent =
  | {
      type: 'state';
      runId: number;
      state: RunState;
      step: number;
      epoch: number;
      error?: FailureValue;
      /** Where a run that failed is back at, and can go on from. */
      lastGood?: number;
    }
  /** Rows of STEP_COLUMNS, one a training step, in order. After a recovery, steps can come again: the later row counts. */
  | { type: 'steps'; runId: number; rows: Float64Array }
  | {
      type: 'evaluation';
      runId: number;
      step: number;
      epoch: number;
      testLoss: number;
      /** 0 to 1, over the whole test set. */
      testAccuracy: number;
      /** classes x classes counts: row is the true class, column the answer. */
      confusion: Uint32Array;
    }
  /** All that was changed on the way, in order; `start` is what held before. Sent at every change, and at a restart. */
  | {
      type: 'adjusted';
      runId: number;
      start: Pick<Adjustable, 'lr' | 'momentum' | 'weightDecay'> & { augmentation?: Augmentation };
      adjustments: RunAdjustment[];
    }
  /** How a run computes its convolutions, told once, when that is decided: it does not change any more. */
  | { type: 'choices'; runId: number; layers: ConvChoices['layers'] }
  /** The current run is kept up to a step, or could not be; it trains on all the same. */
  | { type: 'kept'; runId: number; step: number; error?: FailureValue }
  /** The run rests because a rule for it holds, in words. */
  | { type: 'enough'; runId: number; reason: string }
  /** Evaluations of a run that goes on, from before. */
  | {
      type: 'history';
      runId: number;
      evaluations: {
        step: number;
        epoch: number;
        testLoss: number;
        testAccuracy: number;
        /** Of a long run, those that there is room for. */
        confusion?: Uint32Array;
      }[];
    };

export type ChangesEvent = Extract<RunEvent, { type: 'adjusted' }>;
