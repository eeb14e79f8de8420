import { throttled } from '../../base/throttled.ts';
import { ask } from '../client.ts';
import { onEvent } from '../events.ts';
import { useApp } from '../state/store.ts';
import { usePad } from './pad-store.ts';

/** Predictions that change faster cannot be read, and each takes time from the training. */
const ASK_EVERY_MS = 100;

/** Predicts the image on the pad, soon. Call it whenever the image has changed. */
export const askAgain = throttled(ASK_EVERY_MS, async () => {
  const { image } = usePad.getState();
  // Before the first run there is no model.
  if (!image || useApp.getState().runId === 0 || document.hidden) return;
  const answer = await ask((api) => api.predict(image));
  // The pad may have been cleared meanwhile; a changed image asks again anyway.
  if (!usePad.getState().image) return;
  if (answer.ok) usePad.setState({ prediction: answer.value, error: undefined });
  else if (answer.error.code !== 'cancelled') usePad.setState({ prediction: undefined, error: answer.error });
});

// The model has changed.
onEvent('state', askAgain);
onEvent('steps', askAgain);
