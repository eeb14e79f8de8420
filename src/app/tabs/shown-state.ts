import { keptStanding, type KeptStanding, type StoodRun } from '../journal/record.ts';
import { runElsewhere, useTabs } from './tabs.ts';
import { train as texts } from '../messages/en/train.tsx';

/** How a kept run stands, also in words, and its step: of a run that another tab has open, as they are there now. */
export function useShownState(run: StoodRun): { standing: KeptStanding; words: string; step: number } {
  const elsewhere = useTabs((tabs) => runElsewhere(tabs, run.config.record));
  const standing = elsewhere?.standing ?? keptStanding(run);
  const words = texts.states[standing];
  return { standing, words: elsewhere ? `${words}, other tab` : words, step: elsewhere?.step ?? run.step };
}
