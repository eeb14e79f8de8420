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
  /** The id under which they are held; see `holdWeights` and `holdWeightsFile`. */
  id: string;
  /** The page's record of that run, and its name. */
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

export interface ArchiveFile {
  path: string;
  bytes: Uint8Array<ArrayBuffer>;
}

export interface RunsApi {
  /** The model's current weights. */
  runWeights(): Promise<Result<RunWeights>>;
  /**
   * Holds the open run's state for a run that starts from it, by the same id in `start` of its RunConfig. The
   * optimiser's state is included unless the optimiser changes. Pauses the open run and returns its step.
   */
  holdWeights(id: string): Promise<Result<number>>;
  /**
   * Holds weights for a run that starts from them, in the same way. Only the last weights are held. A failure if the
   * file is not a valid safetensors file.
   */
  holdWeightsFile(id: string, bytes: Uint8Array): Promise<Result<void>>;
  /** A zip archive. */
  packRun(files: ArchiveFile[]): Promise<Result<Uint8Array<ArrayBuffer>>>;
  /** The files of a zip archive. A failure names the error, also if it contains more than a run does. */
  unpackRun(name: string, bytes: Uint8Array): Promise<Result<ArchiveFile[]>>;
  /** The model as a file. */
  modelFile(model: ModelChoice): Promise<Result<string>>;
}
