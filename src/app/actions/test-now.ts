import { ask } from '../client.ts';
import type { Action } from './action.ts';
import { obstacleToDevice, report } from './start.ts';

export const testNow: Action = {
  name: 'Test now',
  title: 'Evaluate the model on the test set. Training is paused meanwhile.',
  icon: 'check',
  obstacle: (state) =>
    obstacleToDevice(state) ?? (state.runId === 0 ? 'No model yet. Select Train.' : undefined),
  perform: async () => report(await ask((api) => api.evaluateNow())),
};
