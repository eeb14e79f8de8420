import { ask } from './client.ts';
import { useApp } from './state/store.ts';

/** What the browser's console and the tests of the page can reach, as `wgrad`. */
export const forTheConsole = {
  /** The adapter of the worker's GPU device; undefined until it is known. */
  adapter: () => useApp.getState().adapter,
  /** The buffers that lie on the GPU: `{ buffers, bytes }`. */
  ledger: async () => {
    const answer = await ask((api) => api.device.ledger());
    return answer.ok ? answer.value : undefined;
  },
  /** The step of the run's last checkpoint in the browser's storage. */
  savedStep: () => useApp.getState().savedStep,
  /** Destroys the GPU device, as a crash of the driver would; the run recovers by itself. */
  loseDevice: () => ask((api) => api.device.loseDevice()),
};
