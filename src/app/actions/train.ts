import type { Action } from './action.ts';
import { obstacleToTraining, startOrContinue } from './start.ts';

export const train: Action = {
  name: 'Train',
  title: 'Starts a run with the settings as they are, or goes on with the paused one.',
  icon: 'play',
  key: ' ',
  obstacle: (state) =>
    state.runState === 'training' ? 'The model is training already.' : obstacleToTraining(state),
  perform: () => startOrContinue((api, config) => api.train(config)),
};
