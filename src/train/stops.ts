/** Rules by which a run comes to rest before its last step, looked at after every epoch. */
import { Failure } from '../base/result.ts';
import type { Evaluation } from '../run/metrics/rows.ts';

export interface Stops {
  /** 0 to 1: the test accuracy that is enough. */
  accuracy?: number;
  /** Epochs without a test accuracy better than all before, after which none is expected any more. */
  patience?: number;
}

/** @throws Failure('bad-input') if a rule is out of range */
export function checkStops({ accuracy, patience }: Stops): void {
  if (accuracy !== undefined && !(accuracy > 0 && accuracy <= 1)) {
    throw new Failure('bad-input', `expected an accuracy to stop at above 0, up to 1; found ${accuracy}`);
  }
  if (patience !== undefined && !(Number.isSafeInteger(patience) && patience >= 1)) {
    throw new Failure('bad-input', `expected a patience of a whole number of epochs; found ${patience}`);
  }
}

/** Why the run should rest after its last evaluation, for people; undefined if it should not. */
export function stopReason(
  { accuracy, patience }: Stops,
  evaluations: readonly Evaluation[],
): string | undefined {
  const last = evaluations.at(-1);
  if (!last) return undefined;
  if (accuracy !== undefined && last.testAccuracy >= accuracy) {
    return `Epoch ${last.epoch} reached a test accuracy of ${percent(last.testAccuracy)}; ${percent(accuracy)} was wanted.`;
  }
  if (patience === undefined) return undefined;
  const best = evaluations.reduce((a, b) => (b.testAccuracy > a.testAccuracy ? b : a));
  const since = last.epoch - best.epoch;
  return since >= patience
    ? `The test accuracy has not got better for ${since} epochs; the best was ${percent(best.testAccuracy)} in epoch ${best.epoch}.`
    : undefined;
}

const percent = (share: number): string => `${Number((100 * share).toFixed(2))} %`;
