/** Step `t` (from 1) of the average in float64, in place: average = d average + (1 - d) values. */
export function averageStep(
  decay: number,
  t: number,
  values: ArrayLike<number>,
  average: Float64Array,
): void {
  const kept = Math.min(decay, (1 + t) / (10 + t));
  for (let i = 0; i < average.length; i++) average[i] = kept * average[i] + (1 - kept) * values[i];
}

/**
 * Step `t` (from 1, of `steps`) of lookahead in float64, in place: in every so many steps slow = d slow + (1 - d) fast with
 * d = 0.95^every min(t / steps, 1)^3, then fast = slow.
 */
export function lookaheadStep(
  { every, t, steps }: { every: number; t: number; steps: number },
  fast: Float64Array,
  slow: Float64Array,
): void {
  if (t % every !== 0) return;
  const kept = 0.95 ** every * Math.min(t / steps, 1) ** 3;
  for (let i = 0; i < slow.length; i++) fast[i] = slow[i] = kept * slow[i] + (1 - kept) * fast[i];
}
