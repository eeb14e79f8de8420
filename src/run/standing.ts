/** How a run stands, for people. */
import type { Evaluation } from './metrics/rows.ts';
import { settingsAt, type Adjustment } from './settings/adjustments.ts';
import { stopReason, type Stops } from './stops.ts';

interface StoodRun<S extends string> {
  /** What it does, or how it was left. */
  state: S;
  /** Steps and whole epochs done. */
  step: number;
  epoch: number;
  /** What it began with, or has now. */
  config: Stops & { epochs?: number | undefined };
  /** Its changes since. */
  changes?: readonly Adjustment[];
  evaluations: readonly Evaluation[];
}

/** Whether a run has trained all its epochs. One without a number of epochs never has. */
export const hasFinished = ({ epoch, config }: Pick<StoodRun<string>, 'epoch' | 'config'>): boolean =>
  epoch >= (config.epochs ?? Infinity);

/**
 * A run's state; of one that trains no more, also whether it has finished, or a rule has stopped it where it is. It follows
 * from what any kept run has, so it is not kept itself.
 */
export function standingOf<S extends string>(run: StoodRun<S>): S | 'finished' | 'stoppedEarly' {
  const { state, step, epoch, evaluations } = run;
  if (state !== 'paused' && state !== 'stopped') return state;
  const config = settingsAt(run.config, run.changes);
  if (hasFinished({ epoch, config })) return 'finished';
  const isTested = evaluations.at(-1)?.step === step;
  return isTested && stopReason(config, evaluations) !== undefined ? 'stoppedEarly' : state;
}
