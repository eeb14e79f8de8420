import { tell } from '../client.ts';
import type { Action } from './action.ts';

export const pause: Action = {
  name: 'Pause',
  title: 'Holds after the step in flight. Train goes on from there.',
  icon: 'pause',
  key: ' ',
  obstacle: (state) => (state.runState === 'training' ? undefined : 'Nothing is training.'),
  perform: async () => {
    await tell((api) => api.pause());
  },
};
