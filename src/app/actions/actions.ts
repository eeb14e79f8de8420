import type { RunState } from '../../worker/api.ts';
import { ask, tell } from '../client.ts';
import type { IconName } from '../components/Icon.tsx';
import { runIsOpen } from '../state/run.ts';
import { useApp, type AppState } from '../state/store.ts';
import { obstacleToDevice, obstacleToTraining, report, startOrContinue } from './start.ts';

/** Something that a person can do: buttons, keys and the command palette all read it from here. */
export interface Action {
  name: string;
  /** The text of its button, where that is not always the name. */
  label?(state: AppState): string;
  /** What it does, in a sentence, in the imperative. */
  title: string;
  icon: IconName;
  /** Its key, as in KeyboardEvent.key. */
  key?: string;
  /** Why it is not available now, for people; undefined if it is. */
  obstacle(state: AppState): string | undefined;
  perform(): Promise<void>;
}

/** The text of an action's button now. */
export const labelOf = (action: Action, state: AppState): string => action.label?.(state) ?? action.name;

export const train: Action = {
  name: 'Train',
  label: ({ runState }) => (runState === 'paused' ? 'Resume' : 'Train'),
  title: 'Start a run with the current settings, or resume the paused run.',
  icon: 'play',
  key: ' ',
  obstacle: (state) =>
    state.runState === 'training' ? 'Training is already in progress.' : obstacleToTraining(state),
  perform: () => startOrContinue((api, config) => api.train(config)),
};

/** A run that is starting or recovering trains as soon as it is ready, unless it is paused before. */
const MOVING: readonly RunState[] = ['preparing', 'training', 'recovering'];

export const pause: Action = {
  name: 'Pause',
  title: 'Pause after the current step.',
  icon: 'pause',
  key: ' ',
  obstacle: (state) => (MOVING.includes(state.runState) ? undefined : 'No run is training.'),
  perform: async () => {
    await tell((api) => api.pause());
  },
};

export const stepBatch: Action = {
  name: 'Step',
  title: 'Train on one batch, then pause.',
  icon: 'step',
  key: '.',
  obstacle: obstacleToTraining,
  perform: () => startOrContinue((api, config) => api.stepBatch(config)),
};

export const restart: Action = {
  name: 'Restart',
  title: 'Restart from step 0 with the same seed and settings.',
  icon: 'restart',
  obstacle: (state) => (state.runId === 0 ? 'No run to restart.' : obstacleToDevice(state)),
  perform: async () => {
    useApp.setState({ runError: undefined });
    report(await ask((api) => api.restart()));
  },
};

export const stop: Action = {
  name: 'Stop',
  title: 'End the run and unlock all settings. The model keeps making predictions.',
  icon: 'stop',
  obstacle: (state) => (runIsOpen(state.runState) ? undefined : 'No active run.'),
  perform: async () => {
    await tell((api) => api.stop());
  },
};

export const testNow: Action = {
  name: 'Test now',
  title: 'Evaluate the model on the test set. Training is paused meanwhile.',
  icon: 'check',
  obstacle: (state) =>
    obstacleToDevice(state) ?? (state.runId === 0 ? 'No model yet. Select Train.' : undefined),
  perform: async () => report(await ask((api) => api.evaluateNow())),
};

/** What the run bar offers, in the order of its buttons. */
export const RUN_ACTIONS: readonly Action[] = [train, pause, stepBatch, restart, stop];

/** What has its key and its place in the command palette. */
export const ACTIONS: readonly Action[] = [...RUN_ACTIONS, testNow];
