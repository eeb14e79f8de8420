import type { Evaluation } from '../../run/metrics/rows.ts';

/** Evaluations up to a step and those since; the later one counts where both are of one step. */
export function evaluationsWith(
  before: readonly Evaluation[],
  since: readonly Evaluation[],
  step: number,
): Evaluation[] {
  const again = new Set(since.map((one) => one.step));
  const old = before.filter((one) => one.step <= step && !again.has(one.step));
  return [...old, ...since].sort((a, b) => a.step - b.step);
}
