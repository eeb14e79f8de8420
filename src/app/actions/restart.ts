import { ask } from '../client.ts';
import { useApp } from '../state/store.ts';
import type { Action } from './action.ts';
import { obstacleToDevice, report } from './start.ts';

export const restart: Action = {
  name: 'Restart',
  title: 'Starts the run again from step 0 with the same seed and settings.',
  icon: 'restart',
  obstacle: (state) => (state.runId === 0 ? 'There is no run to start again.' : obstacleToDevice(state)),
  perform: async () => {
    useApp.getState().setRun({ runError: undefined });
    report(await ask((api) => api.restart()));
  },
};
