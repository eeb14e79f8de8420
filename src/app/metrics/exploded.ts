import type { Evaluation } from '../../run/metrics/rows.ts';

/** Of the loss of guessing. */
const FAR_ABOVE = 3;
/** Of the accuracy of guessing. */
const HARDLY_ABOVE = 1.5;

/**
 * True if a run only guesses, with a loss far above that of guessing: its weights have exploded without becoming infinite,
 * and it will not recover.
 */
export const hasExploded = (
  evaluation: Pick<Evaluation, 'testLoss' | 'testAccuracy'> | undefined,
  classes: number,
): boolean =>
  evaluation !== undefined &&
  evaluation.testLoss > FAR_ABOVE * Math.log(classes) &&
  evaluation.testAccuracy < HARDLY_ABOVE / classes;
