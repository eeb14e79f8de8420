/** The lines of runs that are compared, over a common axis. */
import type { Points } from '../../../run/metrics/points.ts';
import { stepsBefore } from '../../journal/origin.ts';
import type { CurveAxis } from '../../charts/curve/view.ts';
import type { RunRecord } from '../../journal/record.ts';

export interface RunLine {
  x: readonly number[];
  y: readonly number[];
  /** The run diverged: its values say nothing about where the others lie. */
  diverged: boolean;
}

/** What can be drawn of runs. */
export type Quantity = 'loss' | 'accuracy';

/**
 * A run's line. Forks start where they branched off.
 * @param stepsPerEpoch need not be whole
 */
export function lineOf(
  record: RunRecord,
  points: Points,
  quantity: Quantity,
  { axis, stepsPerEpoch, all }: { axis: CurveAxis; stepsPerEpoch: number; all: readonly RunRecord[] },
): RunLine {
  const { evaluations, state } = record;
  const tests = quantity === 'accuracy';
  const steps = tests ? evaluations.map(({ step }) => step) : [...points.step];
  const y = tests ? evaluations.map(({ testAccuracy }) => testAccuracy) : [...points.smoothLoss];
  const before = stepsBefore(record, all);
  const x = steps.map((step) => {
    if (axis === 'step') return before + step;
    return axis === 'epoch' ? (before + step) / stepsPerEpoch : secondsAt(record, points, step);
  });
  return { x, y, diverged: state === 'failed' };
}

/** Seconds of training until a step. Curves without times have only those of the whole run. */
function secondsAt(
  { step: last, trainedMs }: RunRecord,
  { step: steps, seconds }: Points,
  step: number,
): number {
  const at = steps.findLastIndex((one) => one <= step);
  const known = seconds?.[at];
  if (known !== undefined && !Number.isNaN(known)) return known;
  return last > 0 ? (trainedMs / 1000) * (step / last) : 0;
}

/** The place of the value at or before `x`; -1 before the first. */
export const indexAt = ({ x }: RunLine, at: number): number => x.findLastIndex((one) => one <= at);

/**
 * Lowest and highest of the vertical axis: what runs that did not diverge need. One that diverged leaves the picture,
 * instead of flattening the others.
 */
export function rangeOf(lines: readonly RunLine[], logarithmic: boolean): [low: number, high: number] {
  const sound = lines.filter(({ diverged }) => !diverged);
  const from = sound.length > 0 ? sound : lines;
  const values = from.flatMap(({ y }) =>
    y.filter((value) => Number.isFinite(value) && (!logarithmic || value > 0)),
  );
  if (values.length === 0) return logarithmic ? [0.1, 1] : [0, 1];
  const sorted = values.toSorted((a, b) => a - b);
  // Where all diverged, what most of their steps had.
  const high = sound.length > 0 ? (sorted.at(-1) as number) : sorted[Math.floor(0.8 * (sorted.length - 1))];
  const [low] = sorted;
  if (!logarithmic) return [Math.min(0, low), 1.05 * high || 1];
  return [0.9 * low, Math.max(1.1 * high, 1.2 * low)];
}
