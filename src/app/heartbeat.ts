/** Notices within two seconds when the worker does not respond, and when it responds again. */

const EVERY_MS = 350;
/** Signs of life in a row that are missing before the worker counts as silent. */
const MISSING = 4;

/**
 * Asks for a sign of life again and again. Missing ones are counted, and not the time: while this thread is busy or its timers
 * are throttled, it looks less often, and an answer that has come meanwhile is read before it looks again.
 *
 * @param ask resolves as soon as the worker is free to answer
 * @param onChange called with whether the worker responds, when that changes
 * @returns a function that ends it
 */
export function startHeartbeat(
  ask: () => Promise<unknown>,
  onChange: (responds: boolean) => void,
): () => void {
  let waiting = false;
  let missing = 0;
  let ended = false;
  const wait = async () => {
    waiting = true;
    await ask();
    waiting = false;
    if (!ended && missing >= MISSING) onChange(true);
    missing = 0;
  };
  const timer = setInterval(() => {
    if (!waiting) void wait();
    else if (++missing === MISSING) onChange(false);
  }, EVERY_MS);
  return () => {
    ended = true;
    clearInterval(timer);
  };
}
