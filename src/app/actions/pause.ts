import type { RunState } from '../../worker/api.ts';
import { tell } from '../client.ts';
import type { Action } from './action.ts';

/** A run that is being prepared or recovered would train when it is ready; it can be held before. */
const MOVING: readonly RunState[] = ['preparing', 'training', 'recovering'];

export const pause: Action = {
  name: 'Pause',
  title: 'Holds after the step in flight. Train goes on from there.',
  icon: 'pause',
  key: ' ',
  obstacle: (state) => (MOVING.includes(state.runState) ? undefined : 'Nothing is training.'),
  perform: async () => {
    await tell((api) => api.pause());
  },
};
