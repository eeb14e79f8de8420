/** Times and their ratios, as studies report them. */
import { Failure } from '../base/result.ts';
import type { FindOptions, FindResult, TimedLaunch } from '../engine/ops/conv/choice/types.ts';
import { spreadOf } from '../gpu/timing.ts';
import type { Ratio, StudyContext, Time } from './study.ts';

/** @param samples milliseconds per call, each the mean of `calls` in a row */
export const timeOf = (samples: readonly number[], calls: number, clock: Time['clock']): Time => ({
  ...spreadOf(samples),
  samples: samples.length,
  calls,
  clock,
});

/** How many times the base's time, with the widest range that both spreads allow. The base itself is 1. */
export const ratioTo = (base: Time, time: Time): Ratio =>
  time === base
    ? { value: 1, low: 1, high: 1 }
    : { value: time.median / base.median, low: time.p10 / base.p90, high: time.p90 / base.p10 };

/** How many samples a short run takes, and how long each of them lasts at least, milliseconds. */
const SHORT = { samples: 3, minimumMs: 1 };

/** How a study searches. */
export const searching = ({ small, signal }: Pick<StudyContext, 'small' | 'signal'>): FindOptions => ({
  signal,
  ...(small ? SHORT : {}),
});

/** The time of a launch that a search measured. */
export const timeOfTried = ({ median, p10, p90, samples, repetitions, clock }: TimedLaunch): Time => ({
  median,
  p10,
  p90,
  samples,
  calls: repetitions,
  clock,
});

/** The time of so many times the work. */
export const scaled = ({ median, p10, p90, ...rest }: Time, factor: number): Time => ({
  median: factor * median,
  p10: factor * p10,
  p90: factor * p90,
  ...rest,
});

/** The fastest of the launches that a search measured. */
export const fastestOf = ({ tried }: Pick<FindResult, 'tried'>): TimedLaunch | undefined =>
  tried
    .filter((one): one is TimedLaunch => one.outcome === 'timed')
    .toSorted((a, b) => a.median - b.median)[0];

/** The time of two pieces of work in a row. */
export const sumOf = (a: Time, b: Time): Time => ({
  median: a.median + b.median,
  p10: a.p10 + b.p10,
  p90: a.p90 + b.p90,
  samples: Math.min(a.samples, b.samples),
  calls: Math.min(a.calls, b.calls),
  clock: a.clock,
});

/** @throws Failure `cancelled` */
export function requireGoOn({ signal }: Pick<StudyContext, 'signal'>): void {
  if (signal.aborted) throw new Failure('cancelled', 'Stopped.');
}
