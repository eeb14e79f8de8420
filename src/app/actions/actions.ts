import { lazily } from '../../base/lazily.ts';
import { isScheduled } from '../../run/settings/rules.ts';
import { hasFinished } from '../../run/standing.ts';
import type { RunState } from '../../worker/api.ts';
import { ask } from '../client.ts';
import { train as texts } from '../messages/en/train.tsx';
import { worded, type Verb } from '../widgets/verbs.ts';
import { live } from '../metrics/live.ts';
import { runHasPaused, runIsOpen } from '../state/run.ts';
import { formOf, usualEpochs } from '../state/settings.ts';
import { useApp, type AppState } from '../state/store.ts';
import {
  obstacleToDevice,
  obstacleToRestart,
  obstacleToStarting,
  report,
  restartRun,
  startOrContinue,
} from './start.ts';

/** Fetched when a run is repeated: hardly anybody's first. */
const repeating = lazily(() => import('./repeat.ts'));

/** Something that a person can do: buttons, keys and the command palette all read it from here. */
export interface Action extends Verb {
  /** The text of its button, where that is not always the name. */
  label?(state: AppState): string;
  /** Its key, as in KeyboardEvent.key. */
  key?: string;
  /** Why it is not available now, for people; undefined if it is. */
  obstacle(state: AppState): string | undefined;
  perform(): Promise<void>;
}

/** The text of an action's button now. */
export const labelOf = (action: Action, state: AppState): string => action.label?.(state) ?? action.name;

/** Whether a run has paused after its last epoch. Checked before its state is shown. */
export const allEpochsCompleted = ({ runState, runConfig }: AppState): boolean =>
  runHasPaused(runState) && hasFinished({ epoch: live.epoch, config: runConfig ?? {} });

/** Whether a run that has completed its epochs can have more: with a schedule, the learning rate has come to its end too. */
const canTrainOn = (state: AppState): boolean =>
  allEpochsCompleted(state) && state.runConfig !== undefined && !isScheduled(state.runConfig);

/** Adds as many epochs as are usual to a run that has completed its own. */
async function addEpochs({ runConfig }: AppState): Promise<boolean> {
  const { epochs = live.epoch, dataset = '' } = runConfig ?? {};
  const answer = await ask((api) => api.train.adjust({ epochs: epochs + usualEpochs(dataset) }));
  report(answer);
  if (!answer.ok) return false;
  useApp.setState({ runConfig: answer.value });
  useApp.getState().change({ epochs: String(answer.value.epochs) });
  return true;
}

export const train: Action = worded(() => texts.actions.train, {
  label: (state) => {
    const { name, resume, trainOn } = texts.actions.train;
    if (canTrainOn(state)) return trainOn;
    return runHasPaused(state.runState) ? resume : name;
  },
  icon: 'play',
  key: ' ',
  obstacle: (state) => {
    if (state.runState === 'training') return texts.actions.train.trains;
    return allEpochsCompleted(state) && !canTrainOn(state)
      ? texts.actions.train.completed
      : obstacleToStarting(state);
  },
  perform: async () => {
    const state = useApp.getState();
    if (!canTrainOn(state) || (await addEpochs(state)))
      await startOrContinue((api, config) => api.train.train(config));
  },
});

/** A run that is starting or recovering trains as soon as it is ready, unless it is paused before. */
const MOVING: readonly RunState[] = ['preparing', 'training', 'recovering'];

/** Whether there is something to pause, also what a task has paused for a while. */
export const isMoving = ({ runState, resumes }: Pick<AppState, 'runState' | 'resumes'>): boolean =>
  MOVING.includes(runState) || resumes;

export const pause: Action = worded(() => texts.actions.pause, {
  label: ({ resumes }) => (resumes ? texts.actions.pause.stay : texts.actions.pause.name),
  icon: 'pause',
  key: ' ',
  obstacle: (state) => (isMoving(state) ? undefined : texts.actions.pause.none),
  perform: async () => {
    await ask((api) => api.train.pause());
  },
});

export const stepBatch: Action = worded(() => texts.actions.step, {
  icon: 'step',
  key: '.',
  obstacle: obstacleToStarting,
  perform: () => startOrContinue((api, config) => api.train.stepBatch(config)),
});

export const restart: Action = worded(() => texts.actions.restart, {
  icon: 'restart',
  obstacle: (state) => (state.runId === 0 ? texts.actions.restart.none : obstacleToRestart(state)),
  perform: restartRun,
});

export const repeat: Action = worded(() => texts.actions.repeat, {
  icon: 'restart',
  obstacle: (state) =>
    live.changes?.adjustments.length ? obstacleToDevice(state) : texts.actions.repeat.none,
  perform: async () => (await repeating()).repeatRun(),
});

export const stop: Action = worded(() => texts.actions.stop, {
  icon: 'stop',
  obstacle: (state) => (runIsOpen(state.runState) ? undefined : texts.actions.stop.none),
  perform: async () => {
    await ask((api) => api.train.stop());
  },
});

/** The run that was stopped by accident, or too early. */
export const resume: Action = worded(() => texts.actions.resume, {
  icon: 'play',
  obstacle: (state) => (state.runState === 'stopped' ? obstacleToDevice(state) : texts.actions.resume.none),
  perform: async () => {
    const { runConfig, change } = useApp.getState();
    useApp.setState({ runError: undefined });
    const answer = await ask((api) => api.train.resumeStopped());
    if (answer.ok && runConfig) change(formOf(runConfig));
    report(answer);
  },
});

export const testNow: Action = worded(() => texts.actions.test, {
  icon: 'check',
  obstacle: (state) => obstacleToDevice(state) ?? (state.runId === 0 ? texts.actions.test.none : undefined),
  perform: async () => report(await ask((api) => api.inspect.evaluateNow())),
});

/** Stops the task that has the GPU to itself. */
export const stopGpuTask = (): Promise<unknown> => ask((api) => api.device.cancelGpuTask());

/** While a run is open, and before it. */
const RUN_ACTIONS: readonly Action[] = [train, pause, stepBatch, restart, stop];
const STOPPED_ACTIONS: readonly Action[] = [train, pause, stepBatch, restart, resume];

/** What the run's bar offers now. A stopped run offers Resume in place of Stop. */
export const runActions = ({ runState }: Pick<AppState, 'runState'>): readonly Action[] =>
  runState === 'stopped' ? STOPPED_ACTIONS : RUN_ACTIONS;

/** The one action that pauses or resumes the current run; undefined where there is nothing to pause or resume. */
export function pauseOrResume(state: Pick<AppState, 'runState' | 'resumes'>): Action | undefined {
  if (isMoving(state)) return pause;
  if (runHasPaused(state.runState)) return train;
  return state.runState === 'stopped' ? resume : undefined;
}

/** What has its key and its place in the command palette. */
export const ACTIONS: readonly Action[] = [...RUN_ACTIONS, repeat, resume, testNow];
