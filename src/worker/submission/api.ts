/** The worker's API for submissions, which pupils hand in: types only. */
import type { Result } from '../../base/result.ts';
import type { Lesson } from '../../lessons/format.ts';
import type { LessonProgress } from '../../lessons/progress.ts';
import type { Submission, SubmittedRun } from '../../lessons/submission.ts';
import type { RunVerdict } from '../../lessons/verdict.ts';
import type { Evaluation, StepRow } from '../../run/metrics/rows.ts';

declare module '../api.ts' {
  interface Parts {
    submission: { calls: SubmissionApi; events: never };
  }
}

export type { RunVerdict, Submission, SubmittedRun };

/** A lesson as a pupil has done it. */
export interface DoneLesson {
  id: string;
  lesson: Lesson;
  progress: LessonProgress;
  /** As the pupil typed it, or empty. */
  name: string;
}

/** A submission's file, or one of an archive. */
export interface SubmissionFile {
  name: string;
  read: Result<{
    submission: Submission;
    /** See `codeOf`. */
    code: string;
  }>;
}

/** A run that was recomputed, as far as it was: its steps and tests. */
export interface RecomputedRun {
  verdict: RunVerdict;
  rows: StepRow[];
  evaluations: Evaluation[];
  diverged: boolean;
}

export interface SubmissionApi {
  /** The text of the file that a pupil hands in. An open run is paused meanwhile. */
  writeSubmission(done: DoneLesson): string;
  /** Reads such files, and those in an archive. */
  readSubmissions(file: { name: string; bytes: Uint8Array }): SubmissionFile[];
  /**
   * Computes a run again on the CPU engine, and compares. It takes as long as the run did, so ask a worker that can be ended.
   * @param version of wgrad that made it
   * @param maxSteps steps at most
   */
  recomputeRun(run: SubmittedRun, version: string, maxSteps?: number): RecomputedRun;
}
