/** Forecasts of a run, from its course so far. */
import { choosingAccuracy, type Evaluation } from '../../run/metrics/rows.ts';
import type { CurvePoints } from './curve.ts';
import { lastUpTo } from '../charts/curve/axis.ts';

/** Steps that the pace is taken from. */
const PACE_STEPS = 200;

/** Seconds a step lately; NaN before there are any. Tests in between are not counted. */
export function secondsPerStep({ step, seconds }: CurvePoints, count: number): number {
  const last = count - 1;
  if (last < 1) return NaN;
  const first = Math.max(0, lastUpTo(step, count, step[last] - PACE_STEPS));
  return (seconds[last] - seconds[first]) / (step[last] - step[first]);
}

/** Tests that the course of the accuracy is taken from. */
const TESTS = 6;

/**
 * The epoch in which the accuracy gets to `target`, 0 to 1: a power law through the errors of the last tests, which
 * is how they often fall. Undefined where they do not fall, or there are fewer than three.
 */
export function epochOf(
  target: number,
  evaluations: readonly Pick<Evaluation, 'epoch' | 'testAccuracy' | 'validationAccuracy'>[],
): number | undefined {
  const last = evaluations.filter((one) => one.epoch > 0 && choosingAccuracy(one) < 1).slice(-TESTS);
  if (last.length < 3 || target >= 1) return undefined;
  const xs = last.map(({ epoch }) => Math.log(epoch));
  const ys = last.map((one) => Math.log(1 - choosingAccuracy(one)));
  const mean = (values: number[]) => values.reduce((a, b) => a + b) / values.length;
  const [x, y] = [mean(xs), mean(ys)];
  const spread = mean(xs.map((one) => (one - x) ** 2));
  if (spread === 0) return undefined;
  const slope = mean(xs.map((one, i) => (one - x) * (ys[i] - y))) / spread;
  if (!(slope < 0)) return undefined;
  return Math.ceil(Math.exp(x + (Math.log(1 - target) - y) / slope));
}
