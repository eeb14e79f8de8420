/** Early stopping: rules that are checked after every epoch. */
import { accuracy as accuracyText } from '../base/accuracy.ts';
import { bestEvaluation, choosingAccuracy, type Evaluation } from './metrics/rows.ts';
import type { RunSettings } from './settings/table.ts';
import { requireSettings } from './settings/text.ts';

/**
 * @param limit the setting's value
 * @param evaluations at least one; the last one decides
 * @returns why the run should stop, for the user; undefined if it should not
 */
type Rule = (limit: number, evaluations: readonly Evaluation[]) => string | undefined;

/** Each is the setting of its name, which is absent where the rule does not apply. */
const RULES = {
  stopAccuracy(target, evaluations) {
    const last = evaluations[evaluations.length - 1];
    const accuracy = choosingAccuracy(last);
    return accuracy >= target
      ? `Target ${whichOf(last, '')}accuracy reached: ${percent(accuracy)} in epoch ${last.epoch} (target ${percent(target)}).`
      : undefined;
  },

  patience(epochs, evaluations) {
    const last = evaluations[evaluations.length - 1];
    const best = bestEvaluation(evaluations) ?? last;
    const since = last.epoch - best.epoch;
    return since >= epochs
      ? `No improvement in ${whichOf(best, 'test ')}accuracy for ${since} epochs. Best: ${percent(choosingAccuracy(best))} in epoch ${best.epoch}.`
      : undefined;
  },
} satisfies Partial<Record<keyof RunSettings, Rule>>;

const NAMES = Object.keys(RULES) as (keyof typeof RULES)[];

export type Stops = Pick<RunSettings, keyof typeof RULES>;

/** The rules among a run's settings. @throws Failure('bad-input') if one is out of range */
export function stopsOf(settings: Stops): Stops {
  const stops: Stops = Object.fromEntries(NAMES.map((name) => [name, settings[name]]));
  requireSettings(stops);
  return stops;
}

export const hasStops = (settings: Stops): boolean => NAMES.some((name) => settings[name] !== undefined);

/** Why the run should stop after its last evaluation, for the user; undefined if it should not. */
export function stopReason(stops: Stops, evaluations: readonly Evaluation[]): string | undefined {
  if (evaluations.length === 0) return undefined;
  for (const name of NAMES) {
    const limit = stops[name];
    const reason = limit === undefined ? undefined : RULES[name](limit, evaluations);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

const whichOf = ({ validationAccuracy }: Evaluation, test: string): string =>
  validationAccuracy === undefined ? test : 'validation ';

/** "98.05 %", "90 %" */
const percent = (share: number): string => accuracyText(share).replace(/\.?0+(?= %)/, '');
