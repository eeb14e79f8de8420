/** Applying or discarding the changes that wait for a restart. */
import { ok, type Result } from '../../../../base/result.ts';
import { uniqueId } from '../../../../base/unique-id.ts';
import type { RunConfig, RunStart } from '../../../../worker/api.ts';
import { chosenDataset, chosenSettings, obstacleToDevice, report } from '../../../actions/start.ts';
import { ask } from '../../../client.ts';
import { useRuns } from '../../../journal/runs-store.ts';
import { modelKey } from '../../../state/own-model.ts';
import { formOf } from '../../../state/settings.ts';
import { useApp, type AppState } from '../../../state/store.ts';
import { changes as texts } from '../../../messages/changes.ts';

/** Why the changes cannot be taken into a run now; undefined if they can. */
export function obstacleToChanges(state: AppState): string | undefined {
  const dataset = chosenDataset(state);
  if (dataset?.status.state !== 'ready') return texts.notHere(dataset?.title);
  return obstacleToDevice(state);
}

/** Why they cannot be taken into a fork. */
export function obstacleToFork(state: AppState): string | undefined {
  const chosen = chosenSettings(state).config;
  const same = JSON.stringify(chosen?.model) === JSON.stringify(state.runConfig?.model);
  return same ? obstacleToChanges(state) : texts.otherModel;
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
    record: uniqueId(),
    ...(start.value ? { start: start.value, initialWeights: undefined } : {}),
  };
  useApp.setState({ runConfig: config, runError: undefined });
  const answer = await ask((api) => api.train.train(config));
  if (!answer.ok) useApp.setState({ runConfig: before });
  report(answer);
}

/** The weights of the open run, for a new run to start from. The open run is paused. */
async function holdOpen(): Promise<Result<RunStart>> {
  const id = uniqueId();
  const step = await ask((api) => api.runs.holdWeights(id));
  if (!step.ok) return step;
  const { records, open } = useRuns.getState();
  const name = records?.find((record) => record.id === open)?.name ?? texts.aRun(useApp.getState().runId);
  return ok({ id, run: open ?? '', name, step: step.value });
}

/** Sets the settings back to what the run goes by. */
export function undo(): void {
  const { runConfig, change } = useApp.getState();
  if (runConfig) change(formOf(runConfig));
}
