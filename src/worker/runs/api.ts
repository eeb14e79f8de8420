/** The runs that the browser keeps: types only. */
import type { FailureValue } from '../../base/result.ts';
import type { HistogramRecord } from '../../run/metrics/histograms.ts';
import type { Points } from '../../run/metrics/points.ts';
import type { Evaluation } from '../../run/metrics/rows.ts';
import type { Adjustment } from '../../run/settings/adjustments.ts';
import type { RunState } from '../../train/listener.ts';
import type { FirstFilters } from '../inspect/api.ts';
import type { ConvDirection, ConvUse } from '../lab/api.ts';
import type { RunConfig } from '../train/api.ts';

declare module '../api.ts' {
  interface Parts {
    runs: { calls: RunsApi; events: RunsEvent };
  }
}

/** What a fork starts from: the weights of another run at a step. */
export interface RunStart {
  /** The id under which they are held; see `holdWeights` and `holdKept`. */
  id: string;
  /** That run, and its name. */
  run: string;
  name: string;
  /** Its number of steps. */
  step: number;
}

export interface RunWeights {
  /** The run that they belong to. */
  runId: number;
  /** Steps that they were trained for. */
  step: number;
  /** Parameters and running statistics, as a safetensors file. */
  bytes: Uint8Array<ArrayBuffer>;
}

/** How a run's convolutions were computed. */
export type Choices = Record<string, Partial<Record<ConvDirection, ConvUse>>>;

/** A kept run without its curves: plain data. */
export interface StoredRun {
  id: string;
  name: string;
  /** Its place in the order of runs, from 1. */
  number: number;
  /** Of a fork: the run and the step whose weights it began with. Otherwise the run before it, without a step. */
  parent?: { id: string; name: string; step?: number };
  /** When it began and when it was last saved, in milliseconds since 1970. */
  began: number;
  kept: number;
  /** The settings that it began with. */
  config: RunConfig;
  /** Their changes since, as far as they acted on a step. */
  changes?: readonly Adjustment[];
  /** For people: "LeNet-5", "Synthetic digits". */
  model: string;
  dataset: string;
  classes: readonly string[];
  /** For people: the GPU's. */
  adapter: string;
  software: boolean;
  state: RunState;
  step: number;
  epoch: number;
  /** Milliseconds that it was training, tests included. */
  trainedMs: number;
  /** Of an imported run: as its archive says. */
  imagesPerSecond?: number;
  evaluations: readonly Evaluation[];
  /** Of the last evaluation: classes x classes counts, row is the true class. */
  confusion?: readonly number[];
  choices: Choices;
  /** It can resume from here. */
  checkpoint?: { step: number };
  /** Its weights are kept in a file of their own. */
  weights?: { step: number };
  /** The smoothed loss, at most 48 values from the first to the last step. */
  sketch: readonly number[];
  /** The sweep that it belongs to. */
  sweep?: { id: string; name: string };
  /** It is no run, but a network from a file of another program. */
  imported?: { file: string };
  starred: boolean;
  note: string;
  /** When it was deleted: it goes for good a minute later. */
  deleted?: number;
}

export interface RunRecord extends StoredRun {
  /** Bytes that it takes of the browser's storage. */
  bytes: number;
  /** Whether it is open: in this tab, in another one, or in none. */
  live: 'here' | 'elsewhere' | null;
}

/** What a person may change. */
export type RunAbout = Partial<Pick<StoredRun, 'name' | 'note' | 'starred'>>;

export interface KeptRuns {
  runs: RunRecord[];
  /** Why some cannot be read. */
  damaged: FailureValue[];
  /** Why the browser keeps none: they are lost when the page is closed. */
  refusal?: FailureValue;
  /** Above so many bytes, the oldest runs lose their checkpoints. */
  limit: number;
}

/** A run to resume, as it is offered. Step and epoch are those of its checkpoint. */
export interface SavedRunEntry extends Pick<StoredRun, 'id' | 'step' | 'epoch' | 'model' | 'dataset'> {
  /** When it was saved, in milliseconds since 1970. */
  at: number;
  /** Why this is not the last one that was saved. */
  skipped: readonly FailureValue[];
  /** How it stands at that checkpoint; `paused` also if it was interrupted. */
  standing: RunState | 'finished' | 'stoppedEarly';
}

export interface RunsApi {
  /** All kept runs, the first one first. */
  keptRuns(): KeptRuns;
  /** A run's whole curves. */
  runCurves(id: string): Points;
  /** A run's histograms; none if none were recorded. */
  keptHistograms(id: string): HistogramRecord[];
  /** Replaces them. */
  keepHistograms(id: string, histograms: readonly HistogramRecord[]): void;
  changeRun(id: string, about: RunAbout): void;
  /** Deletes runs that are not open. For a minute, `restoreRuns` brings them back. */
  deleteRuns(ids: readonly string[]): void;
  restoreRuns(ids: readonly string[]): void;
  /** Deletes the checkpoints of runs that are not open; their weights and curves stay. */
  freeRuns(ids: readonly string[]): void;
  /** A kept run's weights, as a safetensors file. */
  keptWeights(id: string): Uint8Array<ArrayBuffer>;
  /** The filters of a kept run’s first convolution; undefined if its network has none. */
  keptFilters(id: string): FirstFilters | undefined;
  /**
   * The run of this tab or, without one, the last run, if it can be resumed and is not open in another tab. Starts nothing.
   * @param preferred the id of this tab's run before a reload
   */
  savedRun(preferred?: string): SavedRunEntry | undefined;
  /** The model's current weights. */
  runWeights(): RunWeights;
  /**
   * Holds the open run's state for a run that starts from it, by the same id in `start` of its RunConfig. The
   * optimiser's state is included unless the optimiser changes. Pauses the open run and returns its step.
   */
  holdWeights(id: string): number;
  /** The same for a kept run: with the optimiser's state, if it has a checkpoint. Only the last state is held. */
  holdKept(run: string): RunStart;
  /** A run with everything that is kept of it, as a zip archive. */
  exportRun(id: string): Uint8Array<ArrayBuffer>;
  /** Keeps a run from an archive. Returns its name. A failure says what is wrong with the archive. */
  importRun(file: string, bytes: Uint8Array): string;
}

export type RunsEvent =
  /** A run was added or has changed. */
  | { type: 'run'; record: RunRecord }
  /** Runs were deleted. */
  | { type: 'runsGone'; ids: string[] }
  /** The open run is kept under this id. */
  | { type: 'recording'; runId: number; id: string };
