/** The worker's API for what pupils hand in: types only. */
import type { Result } from '../../base/result.ts';
import type { HandIn, HandedRun } from '../../run/handed-in/format.ts';
import type { RunVerdict } from '../../run/handed-in/verdict.ts';
import type { Evaluation, StepRow } from '../../run/metrics/rows.ts';

declare module '../api.ts' {
  interface Parts {
    'handing-in': { calls: HandingInApi; events: AgainEvent };
  }
}

export type { HandIn, HandedRun, RunVerdict };

/** A file that was handed in, or one of an archive. */
export interface HandedFile {
  name: string;
  read: Result<{
    handIn: HandIn;
    /** See `codeOf`. */
    code: string;
    /** For each run its losses, as the file has them. */
    losses: Float32Array[];
  }>;
}

/** A run that was computed again, as far as it was: its steps and tests. */
export interface RecomputedRun {
  verdict: RunVerdict;
  rows: StepRow[];
  evaluations: Evaluation[];
  diverged: boolean;
}

/** So many steps of the run that is computed again are done. */
export interface AgainEvent {
  type: 'again';
  done: number;
}

export interface HandingInApi {
  /**
   * A kept run up to a step, as it is handed in. An open one is paused meanwhile.
   * @param engine that it was trained on
   */
  handedRun(id: string, step: number, engine: HandedRun['engine']): HandedRun;
  /** The file of a lesson's result, its code, and the fingerprint of what the lesson sets and checks. */
  handInFile(parts: Omit<HandIn, 'format' | 'version'>): { text: string; code: string };
  /** What tells apart lessons of the same name. */
  fingerprint(lesson: object): string;
  /** Reads such files, and those in archives. */
  readHandIns(files: readonly { name: string; bytes: Uint8Array }[]): HandedFile[];
  /**
   * Computes a run again on the CPU engine, and compares. It takes as long as the run did, so ask a worker that can be ended.
   * @param version of wgrad that made it
   * @param most steps at most
   */
  computeAgain(run: HandedRun, version: string, most?: number): RecomputedRun;
}
