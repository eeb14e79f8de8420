/**
 * Work that follows something which changes quickly, such as a picture of a model while it trains: never twice at once, and at
 * most once per `everyMs`. Requests that come meanwhile are joined into one.
 *
 * @returns requests the work; it starts in a microtask at the earliest, so that everybody who listens to the same event has
 *   handled it
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
