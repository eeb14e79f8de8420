/** What the page and the worker say to each other of runs that are kept: types only. */
import type { FailureValue, Result } from '../../base/result.ts';
import type { RunConfig } from '../api.ts';

/** A run of an earlier visit that can go on. */
export interface KeptRunEntry {
  /** The `record` of its settings. */
  id: string;
  step: number;
  epoch: number;
  /** For people: "ResNet-8". */
  model: string;
  dataset: string;
  /** When it was kept, in milliseconds as Date has them. */
  at: number;
  /** Why the last one that was kept is not this one. */
  passedOver: readonly FailureValue[];
}

export interface KeptApi {
  /**
   * The run that was kept last, if there is one that no other tab goes on with. Starts nothing.
   * @param wanted the id of the one that comes before any newer one: this tab's own of before a reload
   */
  keptRun(wanted?: string): Promise<Result<KeptRunEntry | undefined>>;
  /** Goes on with it, and answers what it was started with. */
  resumeRun(id: string): Promise<Result<RunConfig>>;
  forgetRun(id: string): Promise<Result<void>>;
  /** Goes on with a run that failed, from its last good state, with another learning rate; answers what it is now. */
  goBack(lr: number): Promise<Result<RunConfig>>;
}

export type KeptEvent =
  /** The current run is kept up to a step, or could not be; it trains on all the same. */
  | { type: 'kept'; runId: number; step: number; error?: FailureValue }
  /** The run rests because a rule for it holds, in words. */
  | { type: 'enough'; runId: number; reason: string }
  /** Evaluations of a run that goes on, from before. */
  | {
      type: 'history';
      runId: number;
      evaluations: {
        step: number;
        epoch: number;
        testLoss: number;
        testAccuracy: number;
        /** Of a long run, those that there is room for. */
        confusion?: Uint32Array;
      }[];
    };
