/**
 * Throttles work that follows a quickly changing source, such as a picture of a model while it trains: never twice at
 * the same time, and at most once per `everyMs`. Requests that come meanwhile are merged into one.
 *
 * @returns a function that requests the work. It starts in a microtask at the earliest, after all listeners of the same
 *   event have run
 */
export function throttled(everyMs: number, work: () => Promise<void>): () => void {
  let wanted = false;
  let busy = false;
  const run = async () => {
    await Promise.resolve();
    while (wanted) {
      wanted = false;
      await work();
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    busy = false;
  };
  return () => {
    wanted = true;
    if (busy) return;
    busy = true;
    void run();
  };
}
