/** What a run tells of itself. */
import type { FailureValue } from '../base/result.ts';
import type { ConvChoices } from '../engine/ops/conv/choice/layers.ts';
import type { Evaluation } from '../engine/evaluation.ts';
import type { StepMetrics } from '../engine/trainer.ts';
import type { Adjustment } from './adjustments.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { Fit } from './fit.ts';
import type { EpochReport } from './history.ts';

export type SessionState = 'idle' | 'preparing' | 'training' | 'paused' | 'recovering' | 'stopped' | 'failed';

export interface SessionListener {
  /**
   * @param at steps and whole epochs done; when a run failed, up to the bad step, and `lastGood` is the step whose copy
   *   it is back at
   */
  state?(
    state: SessionState,
    at: { step: number; epoch: number; lastGood?: number },
    error?: FailureValue,
  ): void;
  /** How the run's convolutions are computed, once that is decided. It does not change any more. */
  chosen?(choices: ConvChoices): void;
  /** How the run fits the GPU's memory, before any of it is taken; again for another try and on a new device. */
  fits?(fit: Fit): void;
  /** The run is at step 0 again, as `restart` asked; what comes from now on belongs to the new try. */
  restarted?(): void;
  /** After some steps, in order; `firstStep` counts from 1. Steps come again after a recovery. */
  steps?(
    firstStep: number,
    metrics: readonly StepMetrics[],
    imagesPerSecond: number,
    learningRates: readonly number[],
  ): void;
  /** Settings were changed on the way; all such changes by step. */
  adjusted?(adjustments: readonly Adjustment[]): void;
  /** After every epoch, if there is a test set. */
  evaluation?(report: EpochReport, evaluation: Evaluation): void;
  /** A copy was kept that the run can go on from. */
  kept?(checkpoint: Checkpoint): void;
  /** A rule for stopping holds, for people: the run rests. */
  enough?(reason: string): void;
}
