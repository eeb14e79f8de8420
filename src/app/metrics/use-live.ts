import { useSyncExternalStore } from 'react';
import { live, type LiveMetrics } from './live.ts';

const version = () => live.version;

/** The live metrics; renders the component again at most ten times a second. */
export function useLive(): LiveMetrics {
  useSyncExternalStore(live.subscribe, version);
  return live;
}
