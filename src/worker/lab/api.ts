/**
 * What the Algorithm Lab and the worker say to each other: types only. Measuring takes long, so it is begun by a call
 * and told of by `LabEvent`s; one job at a time, and no training while it lasts, since both would slow each other down.
 */
import type { FailureValue, Result } from '../../base/result.ts';
import type { ModelChoice } from '../builder/api.ts';

export type ConvDirection = 'fprop' | 'dgrad' | 'wgrad';

/** How numbers are stored; sums are float32 in both. */
export type ConvNumber = 'f32' | 'f16';

export type ConvPair = readonly [vertical: number, horizontal: number];

/** N images of C channels and H x W; K filters of R x S. */
export interface ConvSizes {
  N: number;
  C: number;
  H: number;
  W: number;
  K: number;
  R: number;
  S: number;
  stride: ConvPair;
  padding: ConvPair;
  dilation: ConvPair;
  groups: number;
}

/** Sizes that fit together, with those of the output: N x K x P x Q. */
export interface ConvProblem extends Readonly<ConvSizes> {
  readonly P: number;
  readonly Q: number;
}

export interface ProblemSummary {
  problem: ConvProblem;
  /** Equal for equal problems: "n1 c4 32x32 k16 3x3 s1x1 p1x1 d1x1 g1". */
  key: string;
  /** Of the direct method: a product and a sum are two. */
  flops: number;
}

/** One way to run a problem: names of an algorithm and of one of its launches. */
export interface ConvChoice {
  algorithm: string;
  launch: string;
}

/** What is known of one launch after it was tried. Times are milliseconds a call. */
export type Tried = ConvChoice & { workspaceBytes: number } & (
    | {
        outcome: 'timed';
        median: number;
        p10: number;
        p90: number;
        samples: number;
        /** Calls in each sample. */
        repetitions: number;
        clock: 'timestamps' | 'wall';
        /** Largest difference to float64 at sampled places, over the largest number. */
        error: number;
        dispatches: number;
        /** Files below shaders/, without the ending. */
        shaders: string[];
      }
    /** In quarantine: never used. `error` is null where numbers are not finite. */
    | { outcome: 'wrong'; reason: string; error: number | null; shaders: string[] }
    | { outcome: 'failed'; reason: string; shaders: string[] }
  );

export interface Found {
  problem: ConvProblem;
  direction: ConvDirection;
  number: ConvNumber;
  /** The limit, in bytes. */
  workspace: number;
  tried: Tried[];
  /** Algorithms that cannot do this, and why not, in words. */
  absent: { algorithm: string; reason: string }[];
  /** The fastest; absent where none answered rightly. */
  best?: ConvChoice;
  /** Launches whose [p10, p90] overlaps the best's. */
  ties: ConvChoice[];
  /** Why results were compared with float64 at some places only, and not with all of the reference's numbers. */
  doubt?: string;
  elapsedMs: number;
}

/** Samples of a time: milliseconds. */
export interface Spread {
  median: number;
  p10: number;
  p90: number;
  samples: number;
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
export interface ConvPin extends ConvChoice {
  layer: string;
  direction: ConvDirection;
}

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

/** How a convolution is computed: pinned by hand, found by measuring, or predicted from the problem alone. */
export interface ConvUse extends ConvChoice {
  by: 'pin' | 'find' | 'get';
}

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

/** A step of the ladder from naive to tuned. */
export interface LadderStep {
  step: string;
  /** What the step changes, and why that helps or does not: a sentence. */
  why: string;
  /** The launches that are this step: the fastest of them counts. */
  launches: string[];
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
  forgetFound(): Promise<Result<void>>;
  /** The WGSL behind one launch. */
  kernelTexts(
    request: FindRequest,
    choice: ConvChoice,
    edits: Record<string, string>,
  ): Promise<Result<KernelText[]>>;
}
