import { ask } from '../client.ts';
import { onEvent } from '../events.ts';
import { useApp } from '../state/store.ts';

/** Answers that change faster cannot be read, and each takes time from the training. */
const ASK_EVERY_MS = 100;

let wanted = false;
let busy = false;

/**
 * Has the model answer for the image on the pad, soon: at most ten times a second, one question at a time. Call it
 * whenever the image has changed.
 */
export function askAgain(): void {
  wanted = true;
  if (!busy) void askWhileWanted();
}

// The model has changed.
onEvent('state', askAgain);
onEvent('steps', askAgain);

async function askWhileWanted(): Promise<void> {
  busy = true;
  // Others that listen for the same event update the store first.
  await Promise.resolve();
  while (wanted) {
    wanted = false;
    const { padImage, runId } = useApp.getState();
    // Before the first run there is no model to ask.
    if (!padImage || runId === 0 || document.hidden) break;
    const answer = await ask((api) => api.predict(padImage));
    const { padImage: now, setPrediction } = useApp.getState();
    // The pad may have been cleared meanwhile; a changed image asks again anyway.
    if (now) {
      if (answer.ok) setPrediction(answer.value);
      else if (answer.error.code !== 'cancelled') setPrediction(undefined, answer.error);
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
  }
  busy = false;
}
