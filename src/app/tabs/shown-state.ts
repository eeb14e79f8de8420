import { RUN_STATES } from '../state/run.ts';
import type { RunState } from '../../worker/api.ts';
import { runElsewhere, useTabs } from './tabs.ts';

/** A saved run, as far as this matters here. */
interface Saved {
  state: RunState;
  step: number;
  config: { record?: string };
}

/** The state of a saved run in words, and its step: of a run that another tab has open, as they are there now. */
export function useShownState({ state, step, config }: Saved): { words: string; step: number } {
  const elsewhere = useTabs((tabs) => runElsewhere(tabs, config.record));
  if (!elsewhere) return { words: RUN_STATES[state], step };
  return { words: `${RUN_STATES[elsewhere.state]}, other tab`, step: elsewhere.step };
}
