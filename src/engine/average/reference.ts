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
