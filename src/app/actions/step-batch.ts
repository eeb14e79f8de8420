import type { Action } from './action.ts';
import { obstacleToTraining, startOrContinue } from './start.ts';

export const stepBatch: Action = {
  name: 'Step batch',
  title: 'Trains on exactly one batch, then holds.',
  icon: 'step',
  key: '.',
  obstacle: obstacleToTraining,
  perform: () => startOrContinue((api, config) => api.stepBatch(config)),
};
