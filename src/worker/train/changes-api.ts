/** What the page and the worker say to each other of an open run that is changed: types only. */
import type { Augmentation } from '../../base/augmentation.ts';
import type { Result } from '../../base/result.ts';
import type { RunConfig } from '../api.ts';

/** What acts at once, from the next step on. */
export interface RunChanges {
  lr?: number;
  /** SGD only. */
  momentum?: number;
  weightDecay?: number;
  /** How training images are varied, all of it. */
  augmentation?: Augmentation;
  /** All rules: those that are left out hold no more. */
  stops?: NonNullable<RunConfig['stops']>;
}

/** Settings that were changed while the run trained; those that are named hold from the step after `step` on. */
export interface RunAdjustment {
  step: number;
  lr?: number;
  momentum?: number;
  weightDecay?: number;
  augmentation?: Augmentation;
}

export interface ChangesApi {
  /** Changes the open run. Answers what it goes by now. */
  adjust(changes: RunChanges): Promise<Result<RunConfig>>;
}

export type ChangesEvent =
  /** All that was changed on the way, in order; `start` is what held before. Told at every change, and at a restart. */
  {
    type: 'adjusted';
    runId: number;
    start: { lr: number; momentum: number; weightDecay: number; augmentation?: Augmentation };
    adjustments: RunAdjustment[];
  };
