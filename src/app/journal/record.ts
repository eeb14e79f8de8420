/** What lists and charts say of a kept run. */
import { bestEvaluation, type Evaluation } from '../../run/metrics/rows.ts';
import { standingOf } from '../../run/standing.ts';
import type { RunRecord, StoredRun } from '../../worker/api.ts';
import { changes as texts } from '../messages/en/changes.tsx';

export type { RunRecord } from '../../worker/api.ts';

/** The test accuracy of the run's best state, 0 to 1; undefined before the first test. */
export const bestAccuracy = ({ evaluations }: Pick<StoredRun, 'evaluations'>): number | undefined =>
  bestEvaluation(evaluations)?.testAccuracy;

/** The last test of the run's weights; undefined before the first. */
export const lastTest = ({ evaluations }: Pick<StoredRun, 'evaluations'>): Evaluation | undefined =>
  evaluations.at(-1);

/** On how many images the last test was made, if that is known. */
export const testedOn = ({ confusion }: { confusion?: ArrayLike<number> }): number | undefined =>
  confusion && Array.from(confusion).reduce((sum, count) => sum + count, 0);

/** Images per second over the whole run, tests included; undefined before the first step. */
export const rateOf = ({ step, config, trainedMs }: StoredRun): number | undefined =>
  trainedMs > 0 && step > 0 ? (1000 * step * config.batchSize) / trainedMs : undefined;

/** The step of the weights that are kept; undefined if there are none. */
export const weightsStep = ({ checkpoint, weights }: StoredRun): number | undefined =>
  checkpoint?.step ?? weights?.step;

/** Why a kept run cannot be resumed; undefined if it can. */
export function obstacleToResume({ checkpoint, live, name }: RunRecord): string | undefined {
  if (live === 'elsewhere') return texts.inOtherTab(name);
  return checkpoint ? undefined : texts.noCheckpoint;
}

/** What a kept run's standing follows from. */
export type StoodRun = Pick<
  StoredRun,
  'state' | 'step' | 'epoch' | 'config' | 'changes' | 'evaluations' | 'imported'
>;

/** How a kept run stands; of a network from a file, that it is one. */
export const keptStanding = (run: StoodRun) => (run.imported ? 'imported' : standingOf(run));
export type KeptStanding = ReturnType<typeof keptStanding>;
