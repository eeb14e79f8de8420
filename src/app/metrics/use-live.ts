import { useSyncExternalStore } from 'react';
import { live, type LiveMetrics } from './live.ts';

/** The live metrics; renders the component again at most ten times a second, or for a table more seldom. */
export function useLive(shownAs: 'values' | 'tables' = 'values'): LiveMetrics {
  const published = live[shownAs];
  useSyncExternalStore(published.subscribe, () => published.version);
  return live;
}

/** What `of` finds in the live metrics. The component renders again only when that changes. */
export const useLiveValue = <T>(of: (metrics: LiveMetrics) => T): T =>
  useSyncExternalStore(live.subscribe, () => of(live));
