import { tell } from '../client.ts';
import { runIsOpen } from '../state/run.ts';
import type { Action } from './action.ts';

export const stop: Action = {
  name: 'Stop',
  title: 'Ends the run and frees the settings. The model goes on answering.',
  icon: 'stop',
  obstacle: (state) => (runIsOpen(state.runState) ? undefined : 'There is no run to end.'),
  perform: async () => {
    await tell((api) => api.stop());
  },
};
