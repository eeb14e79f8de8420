/** Early stopping: rules that are checked after every epoch. */
import type { Evaluation } from '../run/metrics/rows.ts';
import type { RunSettings } from '../run/settings/table.ts';
import { requireSettings } from '../run/settings/text.ts';

export type Stops = Pick<RunSettings, 'stopAccuracy' | 'patience'>;

/** @throws Failure('bad-input') if a rule is out of range */
export const checkStops = ({ stopAccuracy, patience }: Stops): void =>
  requireSettings({ stopAccuracy, patience });

/** Why the run should stop after its last evaluation, for the user; undefined if it should not. */
export function stopReason(
  { stopAccuracy, patience }: Stops,
  evaluations: readonly Evaluation[],
): string | undefined {
  const last = evaluations.at(-1);
  if (!last) return undefined;
  if (stopAccuracy !== undefined && last.testAccuracy >= stopAccuracy) {
    return `Target accuracy reached: ${percent(last.testAccuracy)} in epoch ${last.epoch} (target ${percent(stopAccuracy)}).`;
  }
  if (patience === undefined) return undefined;
  const best = evaluations.reduce((a, b) => (b.testAccuracy > a.testAccuracy ? b : a));
  const since = last.epoch - best.epoch;
  return since >= patience
    ? `No improvement in test accuracy for ${since} epochs. Best: ${percent(best.testAccuracy)} in epoch ${best.epoch}.`
    : undefined;
}

const percent = (share: number): string => `${Number((100 * share).toFixed(2))} %`;
