/** What the Runs screen and the worker say to each other: types only. */
import type { Result } from '../base/result.ts';
import type { ModelChoice } from './build-api.ts';

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
   * Brings weights that a run can begin with: `start` of its RunConfig then has the same id. The last ones brought are
   * kept. A failure if they are no safetensors file.
   */
  bringWeights(id: string, bytes: Uint8Array): Promise<Result<void>>;
  /** A zip archive. */
  packRun(files: ArchiveFile[]): Promise<Result<Uint8Array<ArrayBuffer>>>;
  /** The files of a zip archive. A failure says what is wrong with it, also where it has more in it than a run has. */
  unpackRun(name: string, bytes: Uint8Array): Promise<Result<ArchiveFile[]>>;
  /** The model as a file. */
  modelFile(model: ModelChoice): Promise<Result<string>>;
}
