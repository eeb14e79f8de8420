/** What measured times say about which launch is fastest. */
import { ratioInterval } from '../../../../base/median-interval.ts';
import type { TimedLaunch } from './types.ts';

/** Medians that differ by less than this factor for certain are as good as equal. */
const EQUAL = 1.2;

export interface Ranking<T> {
  /** The smallest median. */
  best?: T;
  /** Perhaps faster than the best, and certainly hardly slower. */
  ties: T[];
  /** Perhaps faster than the best, perhaps much slower: the times vary too much to tell. */
  unclear: T[];
}

/** Compares each launch with the fastest by the intervals of their medians. Both lists are sorted by their medians. */
export function rank<T extends Pick<TimedLaunch, 'median' | 'interval'>>(timed: readonly T[]): Ranking<T> {
  const [best, ...others] = timed.toSorted((a, b) => a.median - b.median);
  if (best === undefined) return { ties: [], unclear: [] };
  const ranking: Required<Ranking<T>> = { best, ties: [], unclear: [] };
  for (const other of others) {
    const [low, high] = ratioInterval(other.interval, best.interval);
    if (low > 1) continue;
    (high <= EQUAL ? ranking.ties : ranking.unclear).push(other);
  }
  return ranking;
}
