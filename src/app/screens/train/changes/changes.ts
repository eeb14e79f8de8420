/** What is changed in the settings while a run is open: some acts at once, the rest waits for a restart. */
import { ok, type Result } from '../../../../base/result.ts';
import { agree } from '../../../../run/settings/rules.ts';
import { SETTING_KEYS, settingOf } from '../../../../run/settings/table.ts';
import { inSentence } from '../../../../run/settings/text.ts';
import type { RunChanges, RunConfig, RunStart } from '../../../../worker/api.ts';
import { chosenDataset, chosenSettings, obstacleToDevice, report } from '../../../actions/start.ts';
import { ask } from '../../../client.ts';
import { keepOpen } from '../../../journal/journal.ts';
import { modelKey } from '../../../state/own-model.ts';
import { runIsOpen } from '../../../state/run.ts';
import { formOf } from '../../../state/settings.ts';
import { useApp, type AppState } from '../../../state/store.ts';

/** A number that is being typed is not told of with every key. */
const TYPING_MS = 600;

export interface Differences {
  /** Acts at once. */
  now: RunChanges;
  /** What waits, in words. */
  waiting: string[];
}

/** What the settings say otherwise than the run does. */
export function differences(running: RunConfig, chosen: RunConfig): Differences {
  const waiting = [
    ...(JSON.stringify(running.model) === JSON.stringify(chosen.model) ? [] : ['model']),
    ...(running.dataset === chosen.dataset ? [] : ['data']),
  ];
  const now: RunChanges = {};
  for (const key of SETTING_KEYS) {
    if (agree(key, running, chosen)) continue;
    const { live, group } = settingOf(key);
    if (!live) waiting.push(inSentence(key));
    // The rate of one optimiser means nothing to another, and each data set has its own augmentation.
    else if (group === 'optimizer' && running.optimizer !== chosen.optimizer) continue;
    else if (key === 'augmentation' && running.dataset !== chosen.dataset) continue;
    else Object.assign(now, { [key]: chosen[key] });
  }
  return { now, waiting };
}

/** What waits for a restart; nothing where no run is open, or a setting cannot be read. */
export function waitingChanges(state: AppState): string[] {
  const chosen = chosenSettings(state).config;
  if (!runIsOpen(state.runState) || !state.runConfig || !chosen) return [];
  return differences(state.runConfig, chosen).waiting;
}

/** Why the changes cannot be taken into a run now; undefined if they can. */
export function obstacleToChanges(state: AppState): string | undefined {
  const dataset = chosenDataset(state);
  if (dataset?.status.state !== 'ready') return `${dataset?.title ?? 'The data set'} is not downloaded yet.`;
  return obstacleToDevice(state);
}

/** Why they cannot be taken into a fork. */
export function obstacleToFork(state: AppState): string | undefined {
  const chosen = chosenSettings(state).config;
  const same = JSON.stringify(chosen?.model) === JSON.stringify(state.runConfig?.model);
  return same ? obstacleToChanges(state) : 'These weights do not fit another model. Restart instead.';
}

/** A new run with the settings as they are: from the start, or with the weights of the open one. */
export async function begin(how: 'restart' | 'fork'): Promise<void> {
  const state = useApp.getState();
  const chosen = chosenSettings(state).config;
  const { runConfig: before, pins } = state;
  if (!chosen || !before) return;
  const start = how === 'fork' ? await holdOpen() : ok(undefined);
  if (!start.ok) {
    report(start);
    return;
  }
  const config: RunConfig = {
    ...chosen,
    pins: [...(pins[modelKey(chosen.model)] ?? [])],
    record: crypto.randomUUID(),
    ...(start.value ? { start: start.value } : {}),
  };
  state.setRun({ runConfig: config, runError: undefined });
  const answer = await ask((api) => api.train(config));
  if (!answer.ok) state.setRun({ runConfig: before });
  report(answer);
}

/** What the open run has learnt, for a run to begin with. It rests, and keeps its weights. */
async function holdOpen(): Promise<Result<RunStart>> {
  const id = crypto.randomUUID();
  const step = await ask((api) => api.holdWeights(id));
  if (!step.ok) return step;
  const record = await keepOpen();
  const { runId } = useApp.getState();
  return ok({ id, run: record?.id ?? '', name: record?.name ?? `run ${runId}`, step: step.value });
}

/** Sets the settings back to what the run goes by. */
export function undo(): void {
  const { runConfig, change } = useApp.getState();
  if (runConfig) change(formOf(runConfig));
}

/** Tells the open run of what acts at once. */
async function adjust(): Promise<void> {
  const state = useApp.getState();
  const { runConfig, runId, setRun } = state;
  const chosen = chosenSettings(state).config;
  if (!chosen || !runConfig || !runIsOpen(state.runState)) return;
  const { now } = differences(runConfig, chosen);
  if (Object.keys(now).length === 0) return;
  const answer = await ask((api) => api.adjust(now));
  if (useApp.getState().runId !== runId) return;
  if (answer.ok) setRun({ runConfig: answer.value });
  else report(answer);
}

/** Passes on what is changed while a run is open. @returns what ends it */
export function followSettings(): () => void {
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
