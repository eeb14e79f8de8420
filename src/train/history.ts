/** A run's history: what the evaluation of the current epoch and early stopping need. */
import type { Evaluation } from '../run/metrics/rows.ts';

export interface History {
  /** The current epoch: the sum of its steps' losses, and their number. */
  epoch: { loss: number; steps: number };
  /** The last step's metrics. */
  loss?: number;
  /** One per epoch, in order. */
  evaluations: readonly Evaluation[];
  /** The step of an epoch's end whose evaluation was cut short: it is repeated when training resumes. */
  due?: number;
}

/** Counts in the confusion matrices of all evaluations together: 1 MB in every checkpoint. */
const MAX_COUNTS = 2 ** 18;

/** Appends an evaluation. If there are too many confusion matrices, every second one is dropped; the newest stays. */
export function withEvaluation(evaluations: readonly Evaluation[], evaluation: Evaluation): Evaluation[] {
  const all = [...evaluations, evaluation];
  const whole = all.filter(({ confusion }) => confusion);
  const counts = whole.reduce((sum, { confusion }) => sum + (confusion?.length ?? 0), 0);
  if (counts <= MAX_COUNTS) return all;
  const kept = new Set(whole.filter((_, i) => (whole.length - 1 - i) % 2 === 0));
  return all.map(({ confusion, ...rest }, i) =>
    kept.has(all[i]) && confusion ? { ...rest, confusion } : rest,
  );
}

export const newHistory = (): History => ({ epoch: { loss: 0, steps: 0 }, evaluations: [] });
