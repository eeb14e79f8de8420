/**
 * What the page and the worker say to each other: types only. Calls go over Comlink and return values, never throw for
 * expected failures; everything that streams goes over a MessagePort of its own as `WorkerEvent`s.
 */
import type { Augmentation } from '../base/augmentation.ts';
import type { FailureValue, Result } from '../base/result.ts';
import type { Shape } from '../base/shape.ts';
import type { InspectApi } from './inspect/api.ts';
import type { BuildApi, ModelChoice } from './builder/api.ts';
import type { ChangesApi, ChangesEvent } from './train/changes-api.ts';
import type { DoctorApi, DoctorEvent } from './doctor/api.ts';
import type { FoldApi } from './builder/fold-api.ts';
import type { KeptApi, KeptEvent } from './train/kept-api.ts';
import type { ConvDirection, ConvPin, ConvUse, LabApi, LabEvent } from './lab/api.ts';
import type { ProfileApi, ProfileEvent } from './profile/api.ts';
import type { RunsApi, RunStart } from './runs/api.ts';

export type * from './builder/api.ts';
export type * from './train/changes-api.ts';
export type * from './doctor/api.ts';
export type * from './builder/fold-api.ts';
export type * from './profile/api.ts';
export type * from './inspect/api.ts';
export type * from './train/kept-api.ts';
export type * from './lab/api.ts';
export type * from './runs/api.ts';

export interface AdapterSummary {
  vendor: string;
  architecture: string;
  /** For people: "NVIDIA H200", "SwiftShader (software)". */
  description: string;
  /** True if there is no GPU behind it: everything works, slowly. */
  software: boolean;
  features: string[];
  limits: Record<string, number>;
  timestamps: boolean;
  /** 1 for the first device of this page; one more after every loss. */
  generation: number;
}

export type DatasetState =
  | { state: 'absent' }
  | { state: 'downloading'; receivedBytes: number; totalBytes: number }
  /** Own pictures being made into a data set. */
  | { state: 'reading'; done: number; total: number }
  /** `notKept` says why it has to be fetched again after a reload. */
  | { state: 'ready'; notKept?: FailureValue }
  | { state: 'failed'; error: FailureValue };

export interface DatasetEntry {
  name: string;
  title: string;
  description: string;
  licence: string;
  shape: Shape;
  classes: string[];
  counts: { train: number; test: number };
  /** How its training images are varied unless somebody says otherwise. */
  augmentation: Augmentation;
  /** What has to be fetched: the files as published, or the archive that they come in. */
  bytes: number;
  /** File names as published, for people who drop them onto the page. */
  files: string[];
  /** The archive that may be dropped instead. */
  archive?: string;
  /** The page that publishes it, where browsers cannot fetch it and people have to. */
  source?: string;
  shipped: boolean;
  /** True for the set that people make of pictures of their own: see `takeOwn`. Before that it has no classes. */
  own: boolean;
  status: DatasetState;
}

export interface ModelLayer {
  name: string;
  /** The layer's kind in words: "Convolution 5x5". */
  title: string;
  outputShape: Shape;
  parameters: number;
}

export interface ModelEntry {
  name: string;
  title: string;
  description: string;
  /** What it belongs to, for people who look for it in a list: "ResNet". */
  family?: string;
  /** [C, H, W] of the images it takes. */
  inputShape: Shape;
  layers: ModelLayer[];
  parameters: number;
}

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
  stops?: { accuracy?: number; patience?: number };
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
export type RunState = 'idle' | 'preparing' | 'training' | 'paused' | 'recovering' | 'stopped' | 'failed';

/** What one row of a `steps` event holds, in order. */
export const STEP_COLUMNS = [
  'step',
  'loss',
  'accuracy',
  'imagesPerSecond',
  'learningRate',
  'gradientNorm',
] as const;

export type WorkerEvent =
  | KeptEvent
  | ChangesEvent
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
  | {
      type: 'device';
      state: 'ready' | 'lost' | 'recovering' | 'unavailable';
      adapter?: AdapterSummary;
      error?: FailureValue;
    }
  | { type: 'dataset'; name: string; status: DatasetState }
  /** How a run computes its convolutions, told once, when that is decided: it does not change any more. */
  | { type: 'choices'; runId: number; layers: Record<string, Partial<Record<ConvDirection, ConvUse>>> }
  | LabEvent
  | ProfileEvent
  | DoctorEvent;

/** What GPU memory is for; see engine/need.ts. */
export type MemoryKind =
  'parameters' | 'gradients' | 'states' | 'buffers' | 'activations' | 'data' | 'evaluation' | 'rest';

export type RunMemory =
  | {
      fits: true;
      bytes: number;
      kinds: Record<MemoryKind, number>;
      /** Dispatches of a step that compute again what is not kept, so that the rest fits. */
      again: number;
    }
  /** `largestBatch` is undefined where not even one image fits. */
  | { fits: false; largestBatch: number | undefined };

export interface Prediction {
  /** One a class, summing to 1. */
  probabilities: Float32Array;
  /** Steps that the answering model was trained for. */
  step: number;
}

export interface Samples {
  /** count x C x H x W bytes. */
  images: Uint8Array;
  labels: Uint8Array;
  shape: Shape;
}

/** A file that was dropped or chosen, with the folders it lay in: "pets/cats/1.png". */
export interface GivenFile {
  path: string;
  file: File;
}

export interface OwnRequest {
  /** Pictures in a folder for each class, or zip archives of such folders. */
  files: GivenFile[];
  /** For people: what was dropped. */
  from: string;
  /** [C, H, W] of the images to make: C of 1 (grey) or 3, H = W. */
  shape: Shape;
}

export interface OwnReport {
  counts: { name: string; images: number }[];
  /** What was left out, with reasons in words that follow the path; at most 100. */
  skipped: { path: string; reason: string }[];
  /** How many more there were. */
  more: number;
}

export interface Varied {
  augmentation: Augmentation;
  seed: number;
  step: number;
}

export interface WorkerApi
  extends DoctorApi, FoldApi, ProfileApi, BuildApi, ChangesApi, InspectApi, KeptApi, LabApi, RunsApi {
  /**
   * Hands over the port that events go to, and the address of the page's folder, ending in "/", which a worker cannot
   * know. Call once, first.
   */
  listen(port: MessagePort, pageUrl: string): Promise<void>;
  /** Asks for an adapter and a device. A failure says why there is none and what to do. */
  connect(): Promise<Result<AdapterSummary>>;
  catalogue(): Promise<Catalogue>;
  /** Makes a data set ready: from the page's own files, from storage, or by download. Progress comes as events. */
  fetchDataset(name: string): Promise<Result<void>>;
  cancelDownload(name: string): Promise<void>;
  /** Takes a data set's files as the user dropped them; all four in any order, gzipped or not. */
  importDataset(name: string, files: File[]): Promise<Result<void>>;
  /**
   * Makes a person's own pictures a data set, in place of the one before, and keeps it. `catalogue` tells of it then;
   * `cancelDownload` stops it.
   */
  takeOwn(request: OwnRequest): Promise<Result<OwnReport>>;
  removeDataset(name: string): Promise<Result<void>>;
  /**
   * The first `count` training images, for a look at the data: as they are, or as a batch of them comes to the network
   * in step `step` (from 0) of a run with this seed.
   */
  samples(name: string, count: number, varied?: Varied): Promise<Result<Samples>>;
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
  /** For tests of the recovery: destroys the device as if the GPU process had died. */
  loseDevice(): Promise<void>;
  /** For tests and the curious: what lies on the GPU. */
  ledger(): Promise<{ buffers: number; bytes: number }>;
}
