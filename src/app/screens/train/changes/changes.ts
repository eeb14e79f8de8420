/** Changes of settings while a run is open: some act at once, the rest wait for a restart. */
import { agree, isScheduled } from '../../../../run/settings/rules.ts';
import { SETTING_KEYS, settingOf } from '../../../../run/settings/table.ts';
import { inSentence } from '../../../../run/settings/text.ts';
import type { RunChanges, RunConfig } from '../../../../worker/api.ts';
import { chosenSettings, report } from '../../../actions/start.ts';
import { ask } from '../../../client.ts';
import { runIsOpen } from '../../../state/run.ts';
import { useApp, type AppState } from '../../../state/store.ts';

/** A number that is being typed, or a slider that moves, is not sent with every change. */
const TYPING_MS = 300;

export interface Differences {
  /** Acts at once. */
  now: RunChanges;
  /** What waits, in words. */
  waiting: string[];
}

/** The settings that differ from those of the run. */
export function differences(running: RunConfig, chosen: RunConfig): Differences {
  const waiting = [
    ...(JSON.stringify(running.model) === JSON.stringify(chosen.model) ? [] : ['model']),
    ...(running.dataset === chosen.dataset ? [] : ['data']),
  ];
  const now: RunChanges = {};
  for (const key of SETTING_KEYS) {
    if (agree(key, running, chosen)) continue;
    const { live, group } = settingOf(key);
    if (!live || (key === 'epochs' && isScheduled(running))) waiting.push(inSentence(key));
    // The rate of one optimiser means nothing to another, and each data set has its own augmentation.
    else if (group === 'optimizer' && running.optimizer !== chosen.optimizer) continue;
    else if (key === 'augmentation' && running.dataset !== chosen.dataset) continue;
    else Object.assign(now, { [key]: chosen[key] });
  }
  return { now, waiting };
}

/** The changes that wait for a restart; none where no run is open or a setting is invalid. */
export function waitingChanges(state: AppState): string[] {
  const chosen = chosenSettings(state).config;
  if (!runIsOpen(state.runState) || !state.runConfig || !chosen) return [];
  return differences(state.runConfig, chosen).waiting;
}

/** Sends the open run the changes that act at once. */
async function adjust(): Promise<void> {
  const state = useApp.getState();
  const { runConfig } = state;
  const chosen = chosenSettings(state).config;
  if (!chosen || !runConfig || !runIsOpen(state.runState)) return;
  const { now } = differences(runConfig, chosen);
  if (Object.keys(now).length === 0) return;
  const answer = await ask((api) => api.train.adjust(now));
  // Another run may have begun meanwhile.
  if (useApp.getState().runConfig?.record !== runConfig.record) return;
  if (answer.ok) useApp.setState({ runConfig: answer.value });
  else report(answer);
}

/** Sends the open run what differs by now, and what changes from now on. @returns stops that */
export function followSettings(): () => void {
  void adjust();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = useApp.subscribe((state, before) => {
    if (state.settings === before.settings) return;
    clearTimeout(timer);
    timer = setTimeout(() => void adjust(), TYPING_MS);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}
