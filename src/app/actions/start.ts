import type { Result } from '../../base/result.ts';
import type { RunConfig, WorkerApi } from '../../worker/api.ts';
import { ask } from '../client.ts';
import { modelKey, OWN_MODEL } from '../state/own-model.ts';
import { obstacleToMixed } from '../state/precision.ts';
import { readSettings } from '../state/read-settings.ts';
import { runIsOpen } from '../state/run.ts';
import { useApp, type AppState } from '../state/store.ts';

/** The data set chosen in the settings. */
export const chosenDataset = (state: AppState) =>
  state.datasets.find((dataset) => dataset.name === state.settings.dataset);

/** The settings, read against the chosen data set. */
export function chosenSettings(state: AppState): ReturnType<typeof readSettings> {
  const read = readSettings(state.settings, chosenDataset(state));
  const own = state.settings.model === OWN_MODEL ? state.ownModel : undefined;
  return read.config && own ? { ...read, config: { ...read.config, model: own } } : read;
}

/** Why nothing can be computed now; undefined if it can. */
export function obstacleToDevice(state: AppState): string | undefined {
  if (state.crash !== undefined) return 'The worker has ended.';
  if (state.device === 'connecting') return 'Looking for a GPU.';
  if (state.device === 'unavailable') return 'There is no WebGPU here.';
  if (state.runState === 'recovering' || state.device !== 'ready') return 'The GPU is being recovered.';
  if (state.runState === 'preparing') return 'The run is being prepared.';
  if (state.study !== undefined)
    return 'A step is being measured or examined, and training would falsify that. Wait, or stop it there.';
  if (state.labJob !== undefined)
    return 'The Lab is measuring, and training would falsify its times. Wait, or stop it there.';
  return undefined;
}

/** Why no step can be trained now; undefined if one can. */
export function obstacleToTraining(state: AppState): string | undefined {
  const obstacle = obstacleToDevice(state);
  if (obstacle) return obstacle;
  if (runIsOpen(state.runState)) return undefined;
  const dataset = chosenDataset(state);
  if (!dataset) return 'Waiting for the data.';
  if (dataset.status.state === 'downloading') return `${dataset.title} is still on its way.`;
  if (dataset.status.state !== 'ready') return `${dataset.title} is not here yet: get it under Data.`;
  if (state.settings.model === OWN_MODEL && state.ownMistakes > 0)
    return 'Your model has a mistake: see Build.';
  const { config } = chosenSettings(state);
  if (!config || (config.precision === 'mixed' && obstacleToMixed(state)))
    return 'A setting is wrong: see Settings.';
  return undefined;
}

/**
 * Starts a run with the settings as they are, or goes on with the open one.
 *
 * @param how the worker's call: `train` or `stepBatch`
 */
export async function startOrContinue(
  how: (api: Pick<WorkerApi, 'train' | 'stepBatch'>, config: RunConfig) => Promise<Result<void>>,
): Promise<void> {
  const state = useApp.getState();
  const chosen = chosenSettings(state).config;
  // An open run keeps what it began with.
  const config = runIsOpen(state.runState)
    ? state.runConfig
    : chosen && {
        ...chosen,
        pins: [...(state.pins[modelKey(chosen.model)] ?? [])],
        record: crypto.randomUUID(),
        ...(state.fork ? { start: state.fork } : {}),
      };
  if (!config) return;
  state.setRun({ runConfig: config, runError: undefined });
  const answer = await ask((api) => how(api, config));
  if (answer.ok && config.start === state.fork) state.setRuns({ fork: undefined });
  report(answer);
}

/** Shows why the worker refused, if it did. */
export function report(answer: Result<void>): void {
  if (!answer.ok && answer.error.code !== 'cancelled') useApp.getState().setRun({ runError: answer.error });
}
