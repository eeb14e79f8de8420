import { AUGMENTATIONS } from '../../base/augmentation.ts';
import type { Result } from '../../base/result.ts';
import { uniqueId } from '../../base/unique-id.ts';
import { busyWith } from '../../run/gpu-tasks.ts';
import type { SettingKey } from '../../run/settings/table.ts';
import { titleOf } from '../../run/settings/text.ts';
import type { RunConfig, WorkerApi } from '../../worker/api.ts';
import { ask } from '../client.ts';
import { modelKey, OWN_MODEL } from '../state/own-model.ts';
import { obstacleToMixed } from '../state/precision.ts';
import { readSettings } from '../state/read-settings.ts';
import { runIsOpen } from '../state/run.ts';
import { useApp, type AppState } from '../state/store.ts';
import { useRuns } from '../journal/runs-store.ts';
import { train as texts } from '../messages/en/train.tsx';

/** The data set chosen in the settings. */
export const chosenDataset = (state: AppState) =>
  state.datasets.find((dataset) => dataset.name === state.settings.dataset);

/** The settings, read against the chosen data set. */
export function chosenSettings(state: AppState): ReturnType<typeof readSettings> {
  const read = readSettings(state.settings, chosenDataset(state));
  const own = state.settings.model === OWN_MODEL ? state.ownModel : undefined;
  return read.config && own ? { ...read, config: { ...read.config, model: own } } : read;
}

/** The settings of the next run, with what it starts from; undefined while they are invalid. */
export function nextRun(state: AppState): RunConfig | undefined {
  const { fork: start } = useRuns.getState();
  const { config } = chosenSettings(state);
  return config && start ? { ...config, start, initialWeights: undefined } : config;
}

/** Why there is no device; undefined if there is one. */
export function obstacleToConnection({ crash, device }: AppState): string | undefined {
  if (crash !== undefined) return texts.obstacles.crashed;
  if (device === 'connecting') return texts.obstacles.connecting;
  if (device === 'unavailable') return texts.obstacles.noGpu;
  return device === 'ready' ? undefined : texts.obstacles.reconnecting;
}

/** Why a task that has the GPU to itself keeps others from starting; undefined if there is none. */
export function obstacleToGpu({ gpuTask }: Pick<AppState, 'gpuTask'>): string | undefined {
  if (gpuTask === undefined) return undefined;
  const { message, advice } = busyWith(gpuTask);
  return `${message} ${advice}`;
}

/** Why the device is not available now; undefined if it is. */
export function obstacleToDevice(state: AppState): string | undefined {
  const obstacle = obstacleToConnection(state);
  if (obstacle !== undefined) return obstacle;
  if (state.runState === 'recovering') return texts.obstacles.reconnecting;
  if (state.runState === 'preparing') return texts.obstacles.starting;
  return obstacleToGpu(state);
}

/** Why no step can be trained now; undefined if one can. */
export function obstacleToTraining(state: AppState): string | undefined {
  const obstacle = obstacleToStarting(state);
  return obstacle ?? (runIsOpen(state.runState) ? undefined : wrongSetting(state));
}

/** Why training cannot start, ignoring invalid settings: Train then focuses the field of the first one. */
export function obstacleToStarting(state: AppState): string | undefined {
  return runIsOpen(state.runState) ? obstacleToDevice(state) : obstacleToRestart(state);
}

/** Why no run can begin with the settings as they are; undefined if one can. */
export function obstacleToRestart(state: AppState): string | undefined {
  const obstacleInModel = state.settings.model === OWN_MODEL && state.ownMistakes > 0;
  return (
    obstacleToDevice(state) ??
    obstacleToData(state) ??
    (obstacleInModel ? texts.obstacles.wrongModel : undefined)
  );
}

/** Why the chosen data set cannot be used now; undefined if it can. */
export function obstacleToData(state: AppState): string | undefined {
  const dataset = chosenDataset(state);
  if (!dataset) return texts.obstacles.loading;
  const { title, status, own } = dataset;
  if (status.state === 'ready') return undefined;
  if (status.state === 'downloading') return status.soon ? undefined : texts.obstacles.downloading(title);
  if (status.state === 'reading') return texts.obstacles.reading;
  return own ? texts.obstacles.noImages : texts.obstacles.absent(title);
}

/** The first setting that is invalid, and what to enter; undefined if all are valid. */
function wrongField(state: AppState): { name: string; error: string } | undefined {
  const { config, errors } = chosenSettings(state);
  for (const [name, error] of Object.entries({ ...errors, ...state.wrong })) {
    const title = AUGMENTATIONS.find((one) => one.name === name)?.title ?? titleOf(name as SettingKey);
    return { name, error: `${title}: ${error}` };
  }
  const error = config?.precision === 'mixed' ? obstacleToMixed(state) : undefined;
  return error === undefined ? undefined : { name: 'precision', error };
}

/** The first invalid setting and what to enter, in words; undefined if all are valid. */
export const wrongSetting = (state: AppState): string | undefined => wrongField(state)?.error;

/** A call of the worker that trains. Without settings, the open run continues. */
type Start = (api: Pick<WorkerApi, 'train'>, config: RunConfig | undefined) => Promise<Result<void>>;

/**
 * Starts a run with the current settings, or resumes the open one. If a setting is invalid, leads to its field instead.
 *
 * @param how the worker's call: `train` or `stepBatch`
 */
export async function startOrContinue(how: Start): Promise<void> {
  const state = useApp.getState();
  if (runIsOpen(state.runState)) await begin(how, undefined);
  else await beginNext(how, nextRun(state));
}

/**
 * Starts again at step 0 with the settings as they are. A run that began with the weights of another does so again, if its
 * model is the same.
 */
export async function restartRun(): Promise<void> {
  const state = useApp.getState();
  const next = nextRun(state);
  const { start, model } = state.runConfig ?? {};
  const isAgain = start && !next?.initialWeights && JSON.stringify(next?.model) === JSON.stringify(model);
  await beginNext(restarted, next && isAgain ? { start, ...next } : next);
}

const restarted: Start = async (api, config) => api.train.restart(config as RunConfig);

/** @param next the settings; a setting that is invalid is shown instead */
async function beginNext(how: Start, next: RunConfig | undefined): Promise<void> {
  const state = useApp.getState();
  const sought = wrongField(state);
  if (sought) return useApp.setState({ sought });
  if (!next) return;
  const { fork } = useRuns.getState();
  const pins = [...(state.pins[modelKey(next.model)] ?? [])];
  const isBegun = await begin(how, { ...next, pins, record: uniqueId() });
  if (isBegun && next.start === fork) useRuns.setState({ fork: undefined });
}

/** Where nothing begins, what was there stays. @returns whether it has begun */
export async function begin(how: Start, config: RunConfig | undefined): Promise<boolean> {
  const { runConfig } = useApp.getState();
  useApp.setState({ runError: undefined, ...(config ? { runConfig: config, rescue: undefined } : {}) });
  const answer = await ask((api) => how(api, config));
  if (!answer.ok && config && useApp.getState().runConfig === config) useApp.setState({ runConfig });
  report(answer);
  return answer.ok;
}

/** Shows the worker's error, if there is one. */
export function report(answer: Result<unknown>): void {
  if (!answer.ok && answer.error.code !== 'cancelled') useApp.setState({ runError: answer.error });
}
