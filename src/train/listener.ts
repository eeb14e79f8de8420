/** What a run reports. */
import type { FailureValue } from '../base/result.ts';
import type { SetResults } from '../engine/evaluation.ts';
import type { ConvChoices } from '../engine/ops/conv/choice/layers.ts';
import type { Evaluation, StepRow } from '../run/metrics/rows.ts';
import type { Changes } from '../run/settings/adjustments.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Fit } from './fit.ts';
import type { Trouble } from './learning-watch.ts';
import type { Speed } from './pacing.ts';

/** Every `RunState`. */
export const EVERY_RUN_STATE = [
  'idle',
  'preparing',
  'training',
  'saving',
  'paused',
  'recovering',
  'stopped',
  'failed',
] as const;

/**
 * idle: nothing trained yet. preparing: compiling and uploading. training: also while it evaluates. recovering: the
 * device was lost and is being replaced. saving: it trains no more, and its checkpoint is being written; then it is paused
 * or stopped. stopped: ended by the user; the model still predicts. failed: ended by an error.
 */
export type RunState = (typeof EVERY_RUN_STATE)[number];

/** Steps and whole epochs done. */
export interface Position {
  step: number;
  epoch: number;
}

export interface RunListener {
  /**
   * @param at when a run failed, up to the bad step; `lastGood` is the step of the checkpoint that it was rolled back to
   */
  state?(state: RunState, at: Position & { lastGood?: number }, error?: FailureValue): void;
  /** The run's convolution algorithms, once chosen. They change only if they do not run on a device. */
  choices?(choices: ConvChoices): void;
  /** Why other algorithms are used than expected, as text for the user. */
  notice?(text: string): void;
  /** How the run fits the GPU's memory, before allocation; again for another try and on a new device. */
  fit?(fit: Fit): void;
  /** The run goes back to step 0: everything reported from now on belongs to the new try. */
  restarted?(changes: Changes): void;
  /** After some steps, in order. Steps are repeated after a recovery. */
  steps?(rows: readonly StepRow[]): void;
  /** The network does not learn, or (undefined) learns again. */
  trouble?(trouble: Trouble | undefined): void;
  /** How fast the run would train without a limit, after every chunk of steps. */
  speed?(speed: Speed): void;
  /** A setting was changed. */
  adjusted?(changes: Changes): void;
  /** After every epoch, if there is a test set. @param results per image */
  evaluation?(evaluation: Evaluation, results: SetResults): void;
  /** A new checkpoint to resume from. */
  checkpoint?(checkpoint: Checkpoint): void;
  /** Resolves when the last checkpoint is stored, or could not be; until then the run is not reported as paused. */
  stored?(): Promise<void>;
  /** A rule for stopping applies: the run pauses. The reason is text for the user. */
  stopReason?(reason: string): void;
}
