/** Weights and archives of runs: types only. */
import type { Result } from '../../base/result.ts';
import type { ModelChoice } from '../builder/api.ts';

declare module '../api.ts' {
  interface Parts {
    runs: { calls: RunsApi; events: never };
  }
}

/** What a fork starts from: the weights of another run at a step. */
export interface RunStart {
  /** What they are held as; see `holdWeights` and `bringWeights`. */
  id: string;
  /** The page's record of that run, and its name. */
  run: string;
  name: string;
  /** Steps that it had done. */
  step: number;
}

export interface RunWeights {
  /** The run that they are of. */
  runId: number;
  /** Steps that they were trained for. */
  step: number;
  /** Parameters and running statistics, as a safetensors file. */
  bytes: Uint8Array<ArrayBuffer>;
}

export interface ArchiveFile {
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface RunsApi {
  /** The model's weights as they are now. */
  runWeights(): Promise<Result<RunWeights>>;
  /**
   * Holds what the open run has learnt, so that a run can begin with it: `start` of its RunConfig then has the same id.
   * The optimiser's state comes along unless it is another optimiser. The open run is paused. Answers its step.
   */
  holdWeights(id: string): Promise<Result<number>>;
  /**
   * Brings weights that a run can begin with, likewise. What was held or brought last is there. A failure if they are no
   * safetensors file.
   */
  bringWeights(id: string, bytes: Uint8Array): Promise<Result<void>>;
  /** A zip archive. */
  packRun(files: ArchiveFile[]): Promise<Result<Uint8Array<ArrayBuffer>>>;
  /** The files of a zip archive. A failure says what is wrong with it, also where it has more in it than a run has. */
  unpackRun(name: string, bytes: Uint8Array): Promise<Result<ArchiveFile[]>>;
  /** The model as a file. */
  modelFile(model: ModelChoice): Promise<Result<string>>;
}
