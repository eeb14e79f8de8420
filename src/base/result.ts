/**
 * Expected failures. Inside a room they travel as `Failure` exceptions, so that deep code stays plain; `attempt` turns
 * them into values at the borders (worker, command line). Any other exception is a bug and passes through.
 */

export type FailureCode =
  | 'no-webgpu' // the browser or machine offers no adapter
  | 'no-cpu-engine' // WebAssembly here cannot run the CPU engine
  | 'device-lost' // the GPU device went away while in use
  | 'out-of-memory' // an allocation did not fit
  | 'shader' // a shader did not compile on this device
  | 'unsupported' // this algorithm, model or device does not support the request
  | 'bad-file' // a file is invalid
  | 'checksum' // a file has other bytes than the published ones
  | 'download' // a file could not be fetched
  | 'not-found' // a name or file does not exist
  | 'bad-input' // an option, configuration or argument is wrong
  | 'storage' // the browser's storage refused
  | 'cancelled' // the user stopped it
  | 'diverged' // a run's numbers are no longer finite
  | 'busy'; // somebody else uses it: the GPU, a run, a file

/** A failure as plain data, so that it can be posted between threads. */
export interface FailureValue {
  code: FailureCode;
  /** What was expected, what was found. */
  message: string;
  /** What to do about it. */
  advice?: string;
}

export type Result<T> = { ok: true; value: T } | { ok: false; error: FailureValue };

export class Failure extends Error {
  constructor(
    readonly code: FailureCode,
    message: string,
    readonly advice?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'Failure';
  }

  get value(): FailureValue {
    return { code: this.code, message: this.message, ...(this.advice ? { advice: this.advice } : {}) };
  }
}

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const fail = <T>(error: FailureValue): Result<T> => ({ ok: false, error });

/** For a catch: undefined in place of what failed. */
export function unlessFailure(error: unknown): undefined {
  if (!(error instanceof Failure)) throw error;
}

/** Runs `work` and returns its value, or the `Failure` that it threw. Other exceptions are bugs and are rethrown. */
export async function attempt<T>(work: () => T | Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (error) {
    if (error instanceof Failure) return fail(error.value);
    throw error;
  }
}
