/** Of all that checks advise, what to do first: several at once would contradict each other. */
import type { CheckFix, CheckResult } from './check.ts';

export interface Recommendation {
  /** The check that it comes from. */
  check: string;
  /** What to do, in a sentence. */
  text: string;
  /** The same as a change of settings, where it is one. */
  fix?: CheckFix;
}

/** What fails here fails at any learning rate; the first of them makes all others worthless. */
const BEFORE_LEARNING: readonly string[] = ['gradients', 'images', 'labels', 'split', 'initial-loss'];

type Advised = Pick<CheckResult, 'check' | 'title' | 'light' | 'advice' | 'fix'>;

const urgencyOf = ({ check, light, fix }: Advised): number => {
  if (light === 'bad' && BEFORE_LEARNING.includes(check)) return BEFORE_LEARNING.indexOf(check);
  const later = BEFORE_LEARNING.length;
  // What was tried goes before what only follows from a number.
  if (fix?.tried) return later;
  return later + (light === 'bad' ? 1 : 3) + (fix ? 0 : 1);
};

/**
 * The most urgent advice; undefined where there is none.
 * @param lr the learning rate of the run
 */
export function recommend(findings: readonly Advised[], lr: number): Recommendation | undefined {
  const [first] = findings
    .filter(({ light, advice, fix }) => (light === 'bad' || light === 'watch') && (advice ?? fix))
    .toSorted((a, b) => urgencyOf(a) - urgencyOf(b));
  if (!first) return undefined;
  const { check, title, advice, fix } = first;
  const rate = fix?.settings.lr;
  if (rate === undefined) return { check, text: `${title}: ${advice}` };
  return { check, text: `${rate < lr ? 'Lower' : 'Raise'} the learning rate to ${rate}.`, fix };
}

/** Whether a check's own advice stands beside the recommendation: one on the learning rate might contradict it. */
export const standsBeside = (check: string, recommended: Recommendation | undefined): boolean =>
  recommended?.fix === undefined || check === recommended.check || BEFORE_LEARNING.includes(check);
