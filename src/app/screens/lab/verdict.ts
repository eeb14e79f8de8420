/** What measurements show, in rows and in words. */
import type { ConvChoice, Tried } from '../../../worker/api.ts';
import * as format from '../../format.ts';
import type { Measurement } from './batch.ts';

export type Timed = Extract<Tried, { outcome: 'timed' }>;
export type Wrong = Extract<Tried, { outcome: 'wrong' }>;
export type Failed = Extract<Tried, { outcome: 'failed' }>;

export const isTimed = (tried: Tried): tried is Timed => tried.outcome === 'timed';
export const isWrong = (tried: Tried): tried is Wrong => tried.outcome === 'wrong';

/** One algorithm in a race. */
export interface Lane {
  algorithm: string;
  /** Its fastest variant; undefined while there is none. */
  best: Timed | undefined;
  /** All of its variants: timed ones fastest first, then the others. */
  launches: Tried[];
  /** It is the fastest, alone or in a tie. */
  first: boolean;
}

export const byTime = <T extends { median: number }>(a: T, b: T): number => a.median - b.median;

/**
 * The algorithms of a race: in the given order while they are measured, fastest first afterwards. Those that do not
 * support the problem are left out.
 */
export function lanesOf(measurement: Measurement, algorithms: readonly string[]): Lane[] {
  const { tried, absent, found, request } = measurement;
  const wanted = algorithms.filter(
    (name) => (request.algorithms?.includes(name) ?? true) && !absent.some((one) => one.algorithm === name),
  );
  const winners = new Set(firstOf(measurement).map(({ algorithm }) => algorithm));
  const lanes = wanted.map((algorithm): Lane => {
    const launches = tried.filter((one) => one.algorithm === algorithm);
    const timed = launches.filter(isTimed).sort(byTime);
    return {
      algorithm,
      best: timed[0],
      launches: [...timed, ...launches.filter((one) => !isTimed(one))],
      first: winners.has(algorithm),
    };
  });
  if (!found) return lanes;
  return lanes.sort((a, b) => (a.best?.median ?? Infinity) - (b.best?.median ?? Infinity) || 0);
}

/** The winner and all that tie with it, one variant per algorithm. Empty before the end, or if no result was correct. */
export function firstOf({ found }: Measurement): ConvChoice[] {
  if (!found?.best) return [];
  const first = [found.best];
  for (const tie of found.ties) {
    if (!first.some(({ algorithm }) => algorithm === tie.algorithm)) first.push(tie);
  }
  return first;
}

/** The fastest variant of every algorithm that was timed, fastest first. */
export function ranking({ tried }: Pick<Measurement, 'tried'>): Timed[] {
  const best = new Map<string, Timed>();
  for (const one of tried.filter(isTimed)) {
    const known = best.get(one.algorithm);
    if (!known || one.median < known.median) best.set(one.algorithm, one);
  }
  return [...best.values()].sort(byTime);
}

/** Variants with incorrect results. */
export const wrongOf = ({ tried }: Pick<Measurement, 'tried'>): Wrong[] => tried.filter(isWrong);

/** Algorithms that are not available, grouped by reason. */
export function absences({
  absent,
}: Pick<Measurement, 'absent'>): { algorithms: string[]; reason: string }[] {
  const byReason = new Map<string, string[]>();
  for (const { algorithm, reason } of absent) {
    byReason.set(reason, [...(byReason.get(reason) ?? []), algorithm]);
  }
  return [...byReason].map(([reason, algorithms]) => ({ algorithms, reason }));
}

/** "a, b and c". */
export const listing = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names[names.length - 1]}`;

/** The fastest algorithm and its lead, in a sentence. */
export function verdict(measurement: Measurement): string {
  const ranked = ranking(measurement);
  const first = firstOf(measurement);
  if (!measurement.found) return '';
  if (measurement.tried.length === 0) return 'No algorithm supports this convolution.';
  if (ranked.length === 0 || first.length === 0) return 'No algorithm gave correct results.';
  const names = first.map(({ algorithm }) => algorithm);
  const [winner] = ranked;
  const rest = ranked.filter(({ algorithm }) => !names.includes(algorithm));
  const time = format.time(winner.median);
  const lead =
    rest.length > 0
      ? `, ${format.times(rest[0].median / winner.median)} as fast as ${rest[0].algorithm}`
      : '';
  if (first.length > 1) {
    const timed = ranked.filter(({ algorithm }) => names.includes(algorithm));
    const each = timed.map(({ algorithm, median }) => `${algorithm} (${format.time(median)})`);
    const behind =
      rest.length > 0
        ? ` ${rest[0].algorithm} is next: ${format.times(rest[0].median / winner.median)} as long.`
        : '';
    return `Tie: the timings of ${listing(each)} overlap.${behind}`;
  }
  if (ranked.length === 1) return `${winner.algorithm} takes ${time}. No other algorithm succeeded.`;
  return `Fastest: ${winner.algorithm}, ${time}${lead}.`;
}
