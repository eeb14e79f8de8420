/** What the Profile screen and the worker say to each other: types only. */
import type { Result } from '../../base/result.ts';
import type { RunConfig } from '../api.ts';
import type { Spread } from '../lab/api.ts';

export type StepPass = 'data' | 'forward' | 'loss' | 'backward' | 'update';

/** Samples of a time, milliseconds, with how many runs are in each. */
export interface SampledSpread extends Spread {
  repetitions: number;
}

/** One kernel of a step, measured on its own, repeated. */
export interface KernelTime {
  /** "conv1 fprop". */
  kernel: string;
  /** Below shaders/, without the ending. */
  shader: string;
  pass: StepPass;
  /** Absent for what belongs to no layer. */
  layer?: string;
  workgroups: readonly [number, number, number];
  /** Of its sums of products; 0 where it has none. */
  flop: number;
  /** That it reads and writes at least. */
  bytes: number;
  time: SampledSpread;
}

/** What a layer costs in a step, milliseconds: the sum of its kernels. */
export interface LayerTime {
  layer: string;
  forwardMs: number;
  backwardMs: number;
}

/** Calls of one kind in a step: how often, and milliseconds together. */
export interface CallTime {
  call: string;
  count: number;
  ms: number;
  /** The milliseconds are spent waiting for the GPU. */
  waits: boolean;
}

export interface TimelineSpan {
  row: 'encode' | 'queue' | 'gpu' | 'read';
  name: string;
  /** Milliseconds from the step's beginning. */
  start: number;
  ms: number;
  /** Of a kernel: its place in `kernels`. */
  kernel?: number;
}

export interface StepProfile {
  clock: 'timestamps' | 'wall';
  /** What the GPU's clock counts by, milliseconds. Absent for the wall clock. */
  tickMs?: number;
  batchSize: number;
  optimizer: string;
  /** A step among many in a row, wall clock. */
  wall: SampledSpread;
  /** All kernels of a step in one pass on the GPU. */
  gpu: SampledSpread;
  /** In the order in which they run. */
  kernels: KernelTime[];
  /** Layers with kernels of their own, in the order of the forward pass. */
  layers: LayerTime[];
  /** Of a step on its own, milliseconds, means of `steps`. */
  single: { steps: number; encodeMs: number; submitMs: number; waitMs: number; readMs: number };
  calls: CallTime[];
  /** What this machine does at best, measured: rates are those of the fastest sample. */
  ceilings: {
    /** A product of square matrices. */
    product: { size: number; flopPerSecond: number; time: SampledSpread };
    /** Reading and writing `bytes`. */
    copy: { bytes: number; bytesPerSecond: number; time: SampledSpread };
  };
  /** A single step laid out in time. */
  spans: TimelineSpan[];
  /** The same in Chrome's trace format, for ui.perfetto.dev. */
  trace: string;
}

export type ProfileEvent = {
  type: 'profile';
  phase: 'compiling' | 'steps' | 'calls' | 'kernels' | 'ceilings';
  /** 0 to 1, of the whole. */
  share: number;
};

export interface ProfileApi {
  /**
   * Measures a training step of such a run, on images made up for it: the data need not be here. A run that trains rests
   * meanwhile, and goes on afterwards. Progress comes as events. Refused while something else is measured.
   */
  profileStep(config: RunConfig): Promise<Result<StepProfile>>;
  /** Ends a profile or an examination under way; what waits for it gets a failure `cancelled`. */
  cancelStudy(): Promise<void>;
}
