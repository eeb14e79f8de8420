/**
 * What the Algorithm Lab and the worker say to each other: types only. Measuring takes long, so it is begun by a call
 * and reported by `LabEvent`s; one job at a time, and no training meanwhile, since both would slow each other down.
 */
import type { FailureValue, Result } from '../../base/result.ts';
import type { Rung as LadderStep } from '../../engine/ops/conv/algorithms/direct/ladder.ts';
import type { LayerChoice as ConvUse, Pin } from '../../engine/ops/conv/choice/layers.ts';
import type { Choice as ConvChoice, Found, Tried } from '../../engine/ops/conv/choice/types.ts';
import type {
  ConvProblem,
  ConvSizes as PartialSizes,
  Direction as ConvDirection,
  Pair as ConvPair,
} from '../../engine/ops/conv/problem.ts';
import type { NumberType as ConvNumber } from '../../engine/plan.ts';
import type { Spread as EngineSpread } from '../../gpu/timing.ts';
import type { ModelChoice } from '../builder/api.ts';

declare module '../api.ts' {
  interface Parts {
    lab: { calls: LabApi; events: LabEvent };
  }
}

export type {
  ConvChoice,
  ConvDirection,
  ConvNumber,
  ConvPair,
  ConvProblem,
  ConvUse,
  Found,
  LadderStep,
  Tried,
};

/** All sizes of a convolution but those of its output, which follow. */
export type ConvSizes = Required<PartialSizes>;

/** Samples of a time: milliseconds. */
export interface Spread extends EngineSpread {
  samples: number;
}

export interface ProblemSummary {
  problem: ConvProblem;
  /** Equal for equal problems: "n1 c4 32x32 k16 3x3 s1x1 p1x1 d1x1 g1". */
  key: string;
  /** Of the direct method: a product and a sum are two. */
  flops: number;
}

/** The mean time of many calls in a row, milliseconds. */
export interface Average extends ConvChoice {
  /** As many as were asked for, or fewer where that would have taken too long. */
  calls: number;
  mean: number;
  /** Of the parts that the calls were measured in. */
  p10: number;
  p90: number;
}

export interface FindRequest {
  sizes: ConvSizes;
  direction: ConvDirection;
  number: ConvNumber;
  /** Bytes beyond inputs and outputs that an algorithm may use. */
  workspace: number;
  /** Default all. */
  algorithms?: string[];
  /** Try everything that is worth it, not only what is likely to win. Software adapters keep to that all the same. */
  thorough?: boolean;
  /** Then time the best launch of every algorithm once more, as the mean of so many calls in a row. */
  averageOf?: number;
  /** Also time the plain loops in JavaScript, on the processor. */
  loops?: boolean;
}

export interface FindJob {
  kind: 'find';
  requests: FindRequest[];
  /** WGSL on trial by the name of its file; in place for this job only. */
  edits: Record<string, string>;
}

/** A choice made by hand, for one layer and direction of a model. */
export type ConvPin = Required<Pin>;

/** Finds for the convolutions of a model, and keeps what was found for the training of later runs. */
export interface TuneJob {
  kind: 'tune';
  model: ModelChoice;
  batchSize: number;
  optimizer: string;
  /** They count in the training step that is timed afterwards. */
  pins: ConvPin[];
  /** Launches not to try. */
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
  /** What the next run would use. */
  next: ConvUse;
}

export type LabProgress =
  /** What will be measured, in order. `pausedRun` says that a run was training. */
  | { step: 'begun'; requests: FindRequest[]; uses: LayerUse[]; pausedRun: boolean }
  /** `absent`: algorithms that cannot do this one, and why not, in words. */
  | { step: 'measuring'; index: number; problem: ProblemSummary; absent: Found['absent'] }
  /** A launch that is measured again comes again. */
  | { step: 'tried'; index: number; tried: Tried }
  | { step: 'average'; index: number; average: Average }
  | { step: 'loops'; index: number; spread: Spread }
  | { step: 'found'; index: number; found: Found }
  /** This request could not be measured; the next one is. */
  | { step: 'refused'; index: number; error: FailureValue }
  /** A whole training step of the model, before and after tuning. */
  | { step: 'training-step'; when: 'before' | 'after'; spread: Spread }
  | { step: 'ended'; how: 'done' | 'cancelled' }
  | { step: 'ended'; how: 'failed'; error: FailureValue };

export type LabEvent = { type: 'lab'; job: number } & LabProgress;

/** A list of convolutions that people compare. */
export interface ConvSuite {
  name: string;
  title: string;
  description: string;
  /** Problems with N as the suite has it, each once; `count` layers have it. */
  layers: { name: string; count: number; sizes: ConvSizes }[];
  /** The suite goes through batch sizes of its own; otherwise N can be chosen. */
  fixed: boolean;
}

export interface LabCatalogue {
  algorithms: { name: string; summary: string }[];
  defaultAlgorithm: string;
  /** Bytes. */
  workspace: number;
  suites: ConvSuite[];
  /** Problems to climb from plain loops to a tuned kernel of one algorithm. */
  ladder: { algorithm: string; layers: { name: string; sizes: ConvSizes }[] };
}

/** A shader as one kernel of a launch has it. */
export interface KernelText {
  /** Its path below shaders/, without the ending. */
  shader: string;
  /** The dispatches that use it, by their labels. */
  dispatches: string[];
  /** The file itself and what it imports, as they stand; the file first. */
  files: { name: string; text: string }[];
  /** What the compiler gets: imports in place, constants applied. */
  linked: string;
  constants: Record<string, number | boolean | string>;
}

export interface LabApi {
  labCatalogue(): Promise<Result<LabCatalogue>>;
  /** A failure says which size does not fit and why. */
  checkProblem(sizes: ConvSizes): Promise<Result<ProblemSummary>>;
  /** The convolutions of a model, in order; the first has no dgrad. A pin that cannot be kept is a failure. */
  modelUses(model: ModelChoice, batchSize: number, pins: ConvPin[]): Promise<Result<LayerUse[]>>;
  /**
   * Begins a job and answers at once; a run that trains is paused first. Refused while another job is under way.
   * @param job its number, which its events carry
   */
  beginLab(job: number, what: LabJob): Promise<Result<void>>;
  /** Ends the job under way after the launch in flight. */
  cancelLab(): Promise<void>;
  /** What would be used without measuring, one a request; undefined where nothing can do it. */
  predictChoices(requests: FindRequest[]): Promise<Result<(ConvChoice | undefined)[]>>;
  /** The steps that the ladder's algorithm has for each request. */
  ladderSteps(requests: FindRequest[]): Promise<Result<LadderStep[][]>>;
  /** All that was ever found and kept, as a JSON file. */
  exportFound(): Promise<string>;
  /** Takes such a file in; answers how many entries it has. @param name for messages */
  importFound(name: string, text: string): Promise<Result<number>>;
  /** Forgets what was found on this adapter. */
  deleteTuningResults(): Promise<Result<void>>;
  /** The WGSL behind one launch. */
  kernelTexts(
    request: FindRequest,
    choice: ConvChoice,
    edits: Record<string, string>,
  ): Promise<Result<KernelText[]>>;
}
