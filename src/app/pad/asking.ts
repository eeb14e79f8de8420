import { throttled } from '../../base/throttled.ts';
import { ask } from '../client.ts';
import { onEvent } from '../events.ts';
import { useApp } from '../state/store.ts';
import { padDataset } from './pad-dataset.ts';
import { usePad, type Network } from './pad-store.ts';
import { knowsTrained, targetOf } from './target.ts';

/** Predictions that change faster cannot be read, and each takes time from the training. */
const ASK_EVERY_MS = 100;

/** The network that predicts now; undefined if none can. */
function networkNow(): Network | undefined {
  const state = useApp.getState();
  if (usePad.getState().network === 'run') return state.runId > 0 ? 'run' : undefined;
  if (knowsTrained(targetOf(padDataset(state)))) return 'trained';
  return state.runId > 0 ? 'run' : undefined;
}

/** Predicts the image on the pad, soon. Call it whenever the image has changed. */
export const askAgain = throttled(ASK_EVERY_MS, async () => {
  const { image } = usePad.getState();
  const network = networkNow();
  if (!image || !network || document.hidden) return;
  const answer = await ask((api) => (network === 'trained' ? api.predictTrained(image) : api.predict(image)));
  // The pad may have been cleared meanwhile, or another network chosen; either asks again anyway.
  if (!usePad.getState().image || networkNow() !== network) return;
  if (answer.ok) usePad.setState({ prediction: answer.value, error: undefined });
  else if (answer.error.code !== 'cancelled') usePad.setState({ prediction: undefined, error: answer.error });
});

/** Shows the predictions of this network from now on. */
export function showNetwork(network: Network): void {
  if (usePad.getState().network === network) return;
  usePad.setState({ network, prediction: undefined, error: undefined });
  askAgain();
}

// A run that starts has the pad.
onEvent('state', ({ runId }) => {
  if (runId > useApp.getState().runId) showNetwork('run');
});
// The model has changed.
onEvent('state', askAgain);
onEvent('steps', () => {
  if (networkNow() === 'run') askAgain();
});
