/** Where a step lies on the axis that the curves are drawn over. */
import type { Curve } from '../../metrics/curve.ts';
import type { CurveAxis } from './view.ts';

/**
 * The places of a curve's points.
 * @param stepsPerEpoch steps that the images are in, as a number that need not be whole
 * @param room where epochs are written to, as long as the curve's columns
 */
export function placesOf(
  { points, count }: Curve,
  axis: CurveAxis,
  stepsPerEpoch: number,
  room: Float64Array,
): Float64Array {
  if (axis === 'step') return points.step;
  if (axis === 'time') return points.seconds;
  for (let i = 0; i < count; i++) room[i] = points.step[i] / stepsPerEpoch;
  return room;
}

/** The last index of the `count` points whose step is at most `step`; -1 if there is none. */
export function lastUpTo(steps: Float64Array, count: number, step: number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (steps[middle] <= step) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** The place of any step; for a time, between those of the points around it. */
export function placeOf(curve: Curve, axis: CurveAxis, stepsPerEpoch: number, step: number): number {
  if (axis === 'step') return step;
  if (axis === 'epoch') return step / stepsPerEpoch;
  const { points, count } = curve;
  const at = lastUpTo(points.step, count, step);
  if (at < 0) return 0;
  if (at + 1 >= count) return points.seconds[at];
  const part = (step - points.step[at]) / (points.step[at + 1] - points.step[at]);
  return points.seconds[at] + part * (points.seconds[at + 1] - points.seconds[at]);
}

/** The right half of what is shown, where a training run grows. */
export const nearer = (from: number, to: number): [number, number] => [(from + to) / 2, to];
