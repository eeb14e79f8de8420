/**
 * Locks by which one thread learns that another is gone, however it went: the browser releases what a thread holds that was
 * terminated, ran out of memory or crashed. https://w3c.github.io/web-locks
 */
type Locks = Pick<LockManager, 'request'>;

/** Undefined where there are none, as in pages that were loaded over HTTP. */
const available = (): Locks | undefined => (globalThis.navigator as Navigator | undefined)?.locks;

/** Holds a lock for as long as this thread lives. Resolves once it is held; to false where there are no locks. */
export function holdForLife(name: string, locks = available()): Promise<boolean> {
  return new Promise((resolve) => {
    const untilTheEnd = () => {
      resolve(true);
      return new Promise<never>(() => undefined);
    };
    if (locks) locks.request(name, untilTheEnd).catch(() => resolve(false));
    else resolve(false);
  });
}

/** Resolves when the thread that holds the lock is gone. */
export async function threadIsGone(name: string, locks = available()): Promise<void> {
  await locks?.request(name, () => undefined);
}
