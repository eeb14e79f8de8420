/** What measurements show, in rows and in words. */
import { ratioInterval, type Interval } from '../../../base/median-interval.ts';
import type { LaneChoice, Tried } from '../../../worker/api.ts';
import * as format from '../../format.ts';
import type { Measurement } from './batch.ts';
import { placesIn } from './wgsl/errors.ts';

export type TimedVariant = Extract<Tried, { outcome: 'timed' }>;
export type WrongVariant = Extract<Tried, { outcome: 'wrong' }>;

export const isTimed = (tried: Tried): tried is TimedVariant => tried.outcome === 'timed';
export const isWrong = (tried: Tried): tried is WrongVariant => tried.outcome === 'wrong';

/** "direct", or "direct (yours)" with edited WGSL: the name of a lane. */
export const laneName = ({ algorithm, yours }: Pick<LaneChoice, 'algorithm' | 'yours'>): string =>
  yours ? `${algorithm} (yours)` : algorithm;

/** One algorithm in a race, as it is or with edited WGSL. */
export interface RaceLane {
  name: string;
  algorithm: string;
  /** Its fastest variant; undefined while there is none. */
  best: TimedVariant | undefined;
  /** All of its variants: timed ones fastest first, then the others. */
  launches: Tried[];
  /** It is the fastest, alone or in a tie. */
  first: boolean;
}

export const byTime = <T extends { median: number }>(a: T, b: T): number => a.median - b.median;

/**
 * The algorithms of a race: in the given order while they are measured, fastest first afterwards. Those that do not
 * support the problem are left out. Edited WGSL has a lane of its own after the original.
 */
export function lanesOf(measurement: Measurement, algorithms: readonly string[]): RaceLane[] {
  const { tried, absent, found, request } = measurement;
  const wanted = algorithms.filter(
    (name) => (request.algorithms?.includes(name) ?? true) && !absent.some((one) => one.algorithm === name),
  );
  const winners = new Set(firstOf(measurement).map(laneName));
  const lanes = wanted.flatMap((algorithm): RaceLane[] => {
    const all = tried.filter((one) => one.algorithm === algorithm);
    const yours = all.filter((one) => one.yours);
    const own = all.filter((one) => !one.yours);
    return (yours.length > 0 ? [own, yours] : [own]).map((launches) => {
      const timed = launches.filter(isTimed).sort(byTime);
      const name = laneName({ algorithm, ...(launches === yours ? { yours: true } : {}) });
      return {
        name,
        algorithm,
        best: timed[0],
        launches: [...timed, ...launches.filter((one) => !isTimed(one))],
        first: winners.has(name),
      };
    });
  });
  if (!found) return lanes;
  return lanes.sort((a, b) => (a.best?.median ?? Infinity) - (b.best?.median ?? Infinity) || 0);
}

/** The fastest variant of every lane that was timed, fastest first. */
export function ranking({ tried }: Pick<Measurement, 'tried'>): TimedVariant[] {
  const best = new Map<string, TimedVariant>();
  for (const one of tried.filter(isTimed)) {
    const known = best.get(laneName(one));
    if (!known || one.median < known.median) best.set(laneName(one), one);
  }
  return [...best.values()].sort(byTime);
}

const isSame = (a: LaneChoice, b: LaneChoice): boolean =>
  a.algorithm === b.algorithm && a.launch === b.launch && a.yours === b.yours;

/** The fastest variants of the lanes that are among some choices. */
const amongOf = (measurement: Measurement, choices: readonly LaneChoice[]): TimedVariant[] =>
  ranking(measurement).filter((one) => choices.some((choice) => isSame(choice, one)));

/** The winner and all that tie with it, one variant per lane. Empty before the end, or if no result was correct. */
export const firstOf = (measurement: Measurement): TimedVariant[] => {
  const { best, ties = [] } = measurement.found ?? {};
  return best ? amongOf(measurement, [best, ...ties]) : [];
};

/** Lanes that are perhaps the fastest, perhaps much slower: their times vary too much to tell. */
export const unclearOf = (measurement: Measurement): TimedVariant[] =>
  amongOf(measurement, measurement.found?.unclear ?? []);

/** Variants with incorrect results. */
export const wrongOf = ({ tried }: Pick<Measurement, 'tried'>): WrongVariant[] => tried.filter(isWrong);

/** The lanes that have one. */
export const wrongLanes = (measurement: Pick<Measurement, 'tried'>): string[] => [
  ...new Set(wrongOf(measurement).map(laneName)),
];

/** How the lanes of a measurement stand: at its end or, of the fastest, until then. */
export interface RaceStanding {
  winner: TimedVariant;
  /** The winner and all that tie with it. */
  first: TimedVariant[];
  /** May be as fast, or much slower. */
  unclear: TimedVariant[];
  /** The fastest of those that are slower, and how many times as long it takes. */
  next: TimedVariant | undefined;
  lead: number;
}

/** Undefined while nothing is timed. */
export function standingOf(measurement: Measurement | undefined): RaceStanding | undefined {
  if (!measurement || measurement.state === 'waiting') return undefined;
  const ranked = ranking(measurement);
  const [winner] = ranked;
  if (!winner) return undefined;
  const first = measurement.found ? firstOf(measurement) : [winner];
  const next = ranked.find((one) => !first.includes(one));
  const lead = (next?.median ?? NaN) / winner.median;
  return { winner, first, unclear: unclearOf(measurement), next, lead };
}

/** The names of lanes. */
export const namesOf = (lanes: readonly Pick<LaneChoice, 'algorithm' | 'yours'>[]): string[] =>
  lanes.map(laneName);

/** Algorithms that are not available, grouped by reason ("it requires …" of one, "they require …" of several). */
export function absences({
  absent,
}: Pick<Measurement, 'absent'>): { algorithms: string[]; reason: string }[] {
  const byReason = new Map<string, string[]>();
  for (const { algorithm, reason } of absent) {
    byReason.set(reason, [...(byReason.get(reason) ?? []), algorithm]);
  }
  return [...byReason].map(([reason, algorithms]) => ({
    algorithms,
    reason: algorithms.length > 1 ? reason.replace(/^it requires/, 'they require') : reason,
  }));
}

/** "a, b and c". */
export const listing = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;

/** A median and its interval: "23.2 ms (20.0 ms to 47.0 ms)". */
export const timeWithInterval = ({ median, interval: [low, high] }: TimedVariant): string =>
  `${format.time(median)} (${format.time(low)} to ${format.time(high)})`;

/** The fastest algorithm and its lead, in a sentence; before it, what is wrong with edited WGSL. */
export function verdict(measurement: Measurement): string {
  const { found, tried } = measurement;
  if (!found) return '';
  if (tried.length === 0) return 'No algorithm supports this convolution.';
  return [...yourErrors(measurement), outcomeOf(measurement)].join(' ');
}

function outcomeOf(measurement: Measurement): string {
  const standing = standingOf(measurement);
  if (!standing) return 'No algorithm gave correct results.';
  const { winner, first, unclear, next, lead } = standing;
  if (unclear.length > 0) {
    const [one, ...more] = unclear;
    const leader = `Too noisy to tell: ${laneName(winner)} takes ${timeWithInterval(winner)}`;
    return more.length === 0
      ? `${leader} and ${laneName(one)} ${timeWithInterval(one)}.`
      : `${leader}; ${listing(namesOf(unclear))} may be as fast.`;
  }
  if (first.length > 1) {
    const each = first.map((one) => `${laneName(one)} (${format.time(one.median)})`);
    const behind = next ? ` ${laneName(next)} is next: ${format.times(lead)} as long.` : '';
    return `Tie: the timings of ${listing(each)} overlap.${behind}`;
  }
  const time = format.time(winner.median);
  if (!next) return `${laneName(winner)} takes ${time}. No other algorithm succeeded.`;
  return `Fastest: ${laneName(winner)}, ${time}, ${format.times(lead)} as fast as ${laneName(next)}.`;
}

/** A sentence for each edited kernel without a time. */
export function yourErrors({ tried }: Measurement): string[] {
  const sentences = tried.flatMap((one) => {
    if (!one.yours || isTimed(one)) return [];
    if (isWrong(one)) return [`Your ${one.algorithm} gives incorrect results.`];
    const [place] = placesIn(one.reason);
    return place
      ? [`Your ${one.algorithm} does not compile: ${place.file}.wgsl, line ${place.line}: ${place.message}.`]
      : [`Your ${one.algorithm} does not run: ${one.reason.split('\n')[0]}.`];
  });
  return [...new Set(sentences)];
}

/** Edited WGSL beside the original of the same variant. */
export interface EditComparison {
  original: TimedVariant;
  yours: TimedVariant;
  /** Your time by the original's, and its interval. */
  ratio: number;
  interval: Interval;
}

/** The fastest variant of each lane of yours, beside its original. */
export function comparisonsOf(measurement: Pick<Measurement, 'tried'>): EditComparison[] {
  return ranking(measurement).flatMap((yours) => {
    const original = measurement.tried
      .filter(isTimed)
      .find((one) => !one.yours && one.algorithm === yours.algorithm && one.launch === yours.launch);
    if (!yours.yours || !original) return [];
    const interval = ratioInterval(yours.interval, original.interval);
    return [{ original, yours, ratio: yours.median / original.median, interval }];
  });
}

const percent = (ratio: number): string => {
  const change = Math.abs(ratio - 1);
  return format.percent(change, change < 0.1 ? 1 : 0);
};

/** "−12 %", "+3.1 %". */
const signed = (ratio: number): string => `${ratio < 1 ? '−' : '+'}${percent(ratio)}`;

const rangeOf = ([low, high]: Interval): string => `${signed(low)} to ${signed(high)}`;

/** The difference of the times: "−12 % (−15 % to −9.2 %)". */
export const differenceOf = ({ ratio, interval }: EditComparison): string =>
  `${signed(ratio)} (${rangeOf(interval)})`;

/** The difference of the times, in a sentence. */
export function comparisonInWords({ original, yours, ratio, interval }: EditComparison): string {
  const [low, high] = interval;
  const names = `Your ${original.algorithm}`;
  const times = `${format.time(yours.median)} instead of ${format.time(original.median)}`;
  const range = rangeOf(interval);
  if (high < 1) return `${names} takes ${percent(ratio)} less time than the original: ${times} (${range}).`;
  if (low > 1) return `${names} takes ${percent(ratio)} more time than the original: ${times} (${range}).`;
  return `${names} and the original cannot be distinguished: ${times} (${range}).`;
}
