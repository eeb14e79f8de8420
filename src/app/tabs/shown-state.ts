import type { RunState } from '../../worker/api.ts';
import { runElsewhere, useTabs } from './tabs.ts';
import { train as texts } from '../messages/train.ts';

/** A saved run, as far as this matters here. */
interface Saved {
  state: RunState;
  step: number;
  config: { record?: string };
}

/** The state of a saved run in words, and its step: of a run that another tab has open, as they are there now. */
export function useShownState({ state, step, config }: Saved): { words: string; step: number } {
  const elsewhere = useTabs((tabs) => runElsewhere(tabs, config.record));
  if (!elsewhere) return { words: texts.states[state], step };
  return { words: `${texts.states[elsewhere.state]}, other tab`, step: elsewhere.step };
}
