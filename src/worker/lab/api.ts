/**
 * The API between the Algorithm Lab and the worker: types only. Measuring takes long, so a call starts a job and
 * `LabEvent`s report on it; one job at a time, and no training meanwhile, because both would slow each other down.
 */
import type { FailureValue } from '../../base/result.ts';
import type { Rung as LadderStep } from '../../engine/ops/conv/algorithms/direct/ladder.ts';
import type { LaunchSize } from '../../engine/ops/conv/algorithm.ts';
import type { LayerChoice as ConvUse, Pin } from '../../engine/ops/conv/choice/layers.ts';
import type {
  Choice as ConvChoice,
  FindResult as EngineFound,
  LaunchResult as EngineTried,
} from '../../engine/ops/conv/choice/types.ts';
import type {
  ConvProblem,
  ProblemSizes as PartialSizes,
  Direction as ConvDirection,
} from '../../engine/ops/conv/problem.ts';
import type { NumberType as ConvNumber } from '../../engine/plan.ts';
import type { Spread as EngineSpread } from '../../gpu/timing.ts';
import type { RunSettings } from '../../run/settings/table.ts';
import type { ModelChoice } from '../builder/api.ts';

declare module '../api.ts' {
  interface Parts {
    lab: { calls: LabApi; events: LabEvent };
  }
}

export type { ConvChoice, ConvDirection, ConvNumber, ConvProblem, ConvUse, LadderStep };

/** A launch as it is, or with edited WGSL: `yours`. */
export type LaneChoice = ConvChoice & { yours?: true };

/** The result of a launch. */
export type Tried = EngineTried & { yours?: true };

/** The results for a problem, with edited WGSL beside the originals. */
export interface Found extends Omit<EngineFound, 'tried' | 'best' | 'ties' | 'unclear'> {
  tried: Tried[];
  best?: LaneChoice;
  ties: LaneChoice[];
  unclear: LaneChoice[];
}

/** All sizes of a convolution except those of its output, which follow. */
export type ConvSizes = Required<PartialSizes>;

/** Samples of a time: milliseconds. */
export interface SampleSpread extends EngineSpread {
  samples: number;
}

export interface ProblemSummary {
  problem: ConvProblem;
  /** Equal for equal problems: "n1 c4 32x32 k16 3x3 s1x1 p1x1 d1x1 g1". */
  key: string;
  /** Of the direct method; a multiply-add counts as two. */
  flops: number;
}

/** The mean time of many calls in a row, milliseconds. */
export interface Average extends ConvChoice {
  /** The requested number, or fewer if that would have taken too long. */
  calls: number;
  mean: number;
  /** Over the parts in which the calls were measured. */
  p10: number;
  p90: number;
}

export interface FindRequest {
  sizes: ConvSizes;
  direction: ConvDirection;
  number: ConvNumber;
  /** Bytes of workspace that an algorithm may use. */
  workspace: number;
  /** For algorithms that let a person choose it. */
  launchSize?: LaunchSize;
  /** Default all. */
  algorithms?: string[];
  /** Samples of each launch that is close to the best. */
  samples?: number;
  /** Tries more launches, not only those that are likely to win. Ignored on software adapters. */
  thorough?: boolean;
  /** Then times the best launch of every algorithm once more, as the mean of this many calls in a row. */
  averageOf?: number;
  /** Also times the plain loops, on one core of the CPU. */
  loops?: boolean;
  /** Also times the CPU engine, when the GPU is done. Ignored where that computes anyway. */
  cpu?: boolean;
}

/** The CPU engine's result for a problem, or why there is none. */
export type CpuTime =
  | {
      /** With its threads: "CPU (WebAssembly, 8 threads)". */
      engine: string;
      /** The images of the call that was measured: N, or fewer. */
      images: number;
      /** The launch that a run on the CPU would use. */
      tried: Tried;
    }
  | { reason: string };

export interface FindJob {
  kind: 'find';
  requests: FindRequest[];
  /**
   * Edited WGSL by file name; used for this job only. After the originals, every launch that was built from one of these
   * files is measured once more with the edits.
   */
  edits: Record<string, string>;
}

/** A choice made by hand, for one layer and direction of a model. */
export type ConvPin = Required<Pin>;

/** Runs `find` for the convolutions of a model, and saves the results for later runs. */
export interface TuneJob {
  kind: 'tune';
  model: ModelChoice;
  batchSize: number;
  optimizer: string;
  /** They are used in the training step that is timed afterwards. */
  pins: ConvPin[];
  /** Launches to skip. */
  exclude: ConvChoice[];
  /** Which of the model's uses, by index. Default all. */
  only?: number[];
}

export type LabJob = FindJob | TuneJob;

/** A convolution of a model, in one direction. */
export interface LayerUse {
  /** PyTorch's name of the layer: "conv1". */
  layer: string;
  sizes: ConvSizes;
  direction: ConvDirection;
  /** Without measuring: the default. */
  predicted: ConvChoice;
  /** The choice of the next run. */
  next: ConvUse;
}

export type LabProgress =
  /** What will be measured, in order. */
  | { step: 'begun'; requests: FindRequest[]; uses: LayerUse[] }
  /** `absent`: algorithms that do not support this one, with the reason as text. */
  | { step: 'measuring'; index: number; problem: ProblemSummary; absent: Found['absent'] }
  /** How many of the launches are compiled, with edited WGSL or without. */
  | { step: 'compiling'; index: number; done: number; total: number; yours: boolean }
  /** Sent again if a launch is measured again. */
  | { step: 'tried'; index: number; tried: Tried }
  | { step: 'average'; index: number; average: Average }
  | { step: 'loops'; index: number; spread: SampleSpread }
  | { step: 'found'; index: number; found: Found }
  | { step: 'cpu'; index: number; cpu: CpuTime }
  /** This request could not be measured; the next one is. */
  | { step: 'refused'; index: number; error: FailureValue }
  /** A whole training step of the model, before and after tuning. */
  | { step: 'training-step'; when: 'before' | 'after'; spread: SampleSpread }
  | { step: 'ended'; how: 'done' | 'cancelled' }
  | { step: 'ended'; how: 'failed'; error: FailureValue };

export type LabEvent = { type: 'lab'; job: number } & LabProgress;

/** A list of convolutions for comparison. */
export interface ConvSuite {
  name: string;
  title: string;
  description: string;
  /** Problems with the suite's N, each once; `count` is the number of layers with the problem. */
  layers: { name: string; count: number; sizes: ConvSizes }[];
  /** The suite has its own batch sizes; otherwise N can be chosen. */
  fixed: boolean;
}

export interface LabCatalogue {
  algorithms: { name: string; summary: string }[];
  defaultAlgorithm: string;
  suites: ConvSuite[];
  /** Problems for the ladder from plain loops to a tuned kernel of one algorithm. */
  ladder: { algorithm: string; layers: { name: string; sizes: ConvSizes }[] };
}

/** The shader of one kernel of a launch. */
export interface KernelText {
  /** Its path below shaders/, without the extension. */
  shader: string;
  /** The dispatches that use it, by their labels. */
  dispatches: string[];
  /** The file and its imports, unchanged; the file first. */
  files: { name: string; text: string }[];
  /** The compiler's input: imports resolved, constants applied. */
  linked: string;
  constants: Record<string, number | boolean | string>;
}

export interface LabApi {
  labCatalogue(): LabCatalogue;
  /** A failure names the size that does not fit, and why. */
  checkProblem(sizes: ConvSizes): ProblemSummary;
  /** The convolutions of a model, in order; the first has no dgrad. Pins that are not supported are ignored. */
  modelUses(
    model: ModelChoice,
    batchSize: number,
    how: { pins: ConvPin[]; algorithm: RunSettings['convAlgorithm'] },
  ): LayerUse[];
  /**
   * Starts a job and returns immediately; a run that trains is paused, then resumes. Refused while another job is running.
   * @param job its number, which its events contain
   */
  startLab(job: number, what: LabJob): void;
  /** The predictions, one per request; undefined if no algorithm supports it. */
  predictChoices(requests: FindRequest[]): (ConvChoice | undefined)[];
  /** The ladder's steps that are available for each request. */
  ladderSteps(requests: FindRequest[]): LadderStep[][];
  /** All tuning results, as a JSON file. */
  exportFound(): string;
  /** Imports such a file and returns its number of entries. @param name for messages */
  importFound(name: string, text: string): number;
  /** Deletes the tuning results of this adapter. */
  deleteTuningResults(): void;
  /** The WGSL behind one launch. */
  kernelTexts(request: FindRequest, choice: ConvChoice, edits: Record<string, string>): KernelText[];
  /**
   * Compiles one launch with edited WGSL, without running it. A failure has the compiler's messages, each on a line that
   * begins with the place: "shaders/conv/direct/fprop.wgsl:12: …".
   */
  checkWgsl(request: FindRequest, choice: ConvChoice, edits: Record<string, string>): void;
}
