import { standingOf } from '../../run/standing.ts';
import type { StoredRun } from '../../worker/api.ts';
import type { Standing } from '../state/run.ts';
import { runElsewhere, useTabs } from './tabs.ts';
import { train as texts } from '../messages/train.ts';

/** What is shown of a kept run; of a network from a file, that it is one. */
type Shown = Pick<StoredRun, 'state' | 'step' | 'epoch' | 'config' | 'evaluations' | 'imported'>;

export const keptStanding = (run: Shown): Standing | 'imported' =>
  run.imported ? 'imported' : standingOf(run);

/** How a kept run stands, also in words, and its step: of a run that another tab has open, as they are there now. */
export function useShownState(run: Shown): { standing: Standing | 'imported'; words: string; step: number } {
  const elsewhere = useTabs((tabs) => runElsewhere(tabs, run.config.record));
  const standing = elsewhere?.standing ?? keptStanding(run);
  const words = texts.states[standing];
  return { standing, words: elsewhere ? `${words}, other tab` : words, step: elsewhere?.step ?? run.step };
}
