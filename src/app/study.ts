/** Measuring a step and examining a run: what both ask of the worker. */
import type { FailureValue } from '../base/result.ts';
import type { RunConfig } from '../worker/api.ts';
import { chosenDataset, chosenSettings, obstacleToDevice } from './actions/start.ts';
import { askPart } from './ask-part.ts';
import { ask, tell } from './client.ts';
import { runIsOpen } from './state/run.ts';
import { useApp, type AppState } from './state/store.ts';
import type { Studied } from './state/study.ts';

/** The open run's settings, else those that are chosen; undefined while there are none that can be. */
export const configToStudy = (state: AppState): RunConfig | undefined =>
  runIsOpen(state.runState) ? state.runConfig : chosenSettings(state).config;

/** For people: "LeNet-5". */
export const modelTitle = ({ models }: Pick<AppState, 'models'>, { model }: RunConfig): string =>
  typeof model === 'string' ? (models.find(({ name }) => name === model)?.title ?? model) : model.title;

/**
 * Why nothing can be measured now; undefined if it can.
 * @param config what is to be measured
 */
export function obstacleToProfile(state: AppState, config = configToStudy(state)): string | undefined {
  const obstacle = obstacleToDevice(state);
  if (obstacle !== undefined) return obstacle;
  return config ? undefined : 'A setting is wrong: see Settings on the Train screen.';
}

/** Why nothing can be examined now: it needs the data too. */
export function obstacleToDoctor(state: AppState): string | undefined {
  const obstacle = obstacleToProfile(state);
  if (obstacle !== undefined || runIsOpen(state.runState)) return obstacle;
  const dataset = chosenDataset(state);
  if (!dataset) return 'Waiting for the data.';
  if (dataset.status.state === 'ready') return undefined;
  return dataset.status.state === 'downloading'
    ? `${dataset.title} is still on its way.`
    : `${dataset.title} is not here yet: get it under Data on the Train screen.`;
}

/** What is begun: what it is of, and whether a run rests for it. */
function begin(state: AppState, config: RunConfig): { studied: Studied; studyRests: boolean } {
  const { adapter, runState } = state;
  const studied = { config, model: modelTitle(state, config), date: new Date(), adapter };
  return { studied, studyRests: runState === 'training' };
}

/** An end that the person asked for is no failure. */
const toShow = (error: FailureValue): FailureValue | undefined =>
  error.code === 'cancelled' ? undefined : error;

export async function profileStep(wanted?: RunConfig): Promise<void> {
  const state = useApp.getState();
  const config = wanted ?? configToStudy(state);
  if (!config || obstacleToProfile(state, config) !== undefined) return;
  const { studied, studyRests } = begin(state, config);
  const { setStudy } = state;
  const profiling = { phase: 'compiling', share: 0 } as const;
  setStudy({ study: 'profile', studyRests, profiling, profileError: undefined });
  const answer = await ask((api) => api.profileStep(config));
  setStudy({
    study: undefined,
    studyRests: false,
    profiling: undefined,
    ...(answer.ok ? { profile: { ...studied, ...answer.value } } : { profileError: toShow(answer.error) }),
  });
}

/** Asks the worker once which checks there are. */
export async function loadChecks(): Promise<void> {
  const { checks, setStudy } = useApp.getState();
  if (checks.length > 0) return;
  const known = await askPart((api) => api.doctorChecks());
  if (known) setStudy({ checks: known });
}

export async function examine(): Promise<void> {
  const state = useApp.getState();
  const config = configToStudy(state);
  if (!config || obstacleToDoctor(state) !== undefined) return;
  const { studied, studyRests } = begin(state, config);
  const { setStudy } = state;
  const examination = { ...studied, findings: [], done: false };
  setStudy({ study: 'doctor', studyRests, checking: undefined, examination, examinationError: undefined });
  const answer = await ask((api) => api.examine(config));
  setStudy({
    study: undefined,
    studyRests: false,
    checking: undefined,
    ...(answer.ok
      ? { examination: { ...studied, ...answer.value, done: true } }
      : { examinationError: toShow(answer.error) }),
  });
}

export async function cancelStudy(): Promise<void> {
  await tell((api) => api.cancelStudy());
}
