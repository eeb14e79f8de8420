/** Applying or discarding the changes that wait for a restart. */
import { ok, type Result } from '../../../../base/result.ts';
import { uniqueId } from '../../../../base/unique-id.ts';
import type { RunStart } from '../../../../worker/api.ts';
import { begin, chosenSettings, report } from '../../../actions/start.ts';
import { restart } from '../../../actions/actions.ts';
import { ask } from '../../../client.ts';
import { useRuns } from '../../../journal/runs-store.ts';
import { modelKey } from '../../../state/own-model.ts';
import { formOf } from '../../../state/settings.ts';
import { useApp, type AppState } from '../../../state/store.ts';
import { changes as texts } from '../../../messages/en/changes.tsx';

/** Why the changes cannot be taken into a fork; undefined if they can. */
export function obstacleToFork(state: AppState): string | undefined {
  const chosen = chosenSettings(state).config;
  const same = JSON.stringify(chosen?.model) === JSON.stringify(state.runConfig?.model);
  return same ? restart.obstacle(state) : texts.otherModel;
}

/** A new run with the settings as they are and the weights of the open one, which is paused. */
export async function fork(): Promise<void> {
  const state = useApp.getState();
  const chosen = chosenSettings(state).config;
  if (!chosen) return;
  const start = await holdOpen();
  if (!start.ok) return report(start);
  const pins = [...(state.pins[modelKey(chosen.model)] ?? [])];
  const config = { ...chosen, pins, record: uniqueId(), start: start.value, initialWeights: undefined };
  await begin((api) => api.train.restart(config), config);
}

/** The weights of the open run, for a new run to start from. */
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
