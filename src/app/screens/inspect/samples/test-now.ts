import type { Action } from '../../../actions/action.ts';
import { obstacleToDevice, report } from '../../../actions/start.ts';
import { ask } from '../../../client.ts';

export const testNow: Action = {
  name: 'Test now',
  title: 'Has the model answer the whole test set. A run that trains rests meanwhile.',
  icon: 'check',
  obstacle: (state) =>
    obstacleToDevice(state) ?? (state.runId === 0 ? 'There is no model yet: press Train.' : undefined),
  perform: async () => report(await ask((api) => api.evaluateNow())),
};
