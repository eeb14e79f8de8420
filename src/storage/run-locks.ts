/**
 * A lock for each run, held by the tab in which it is open, so that tabs neither overwrite each other's runs nor resume the
 * same one. A tab that is closed, or crashes, holds no lock. https://w3c.github.io/web-locks
 */
const LOCK = 'wgrad-run:';

export class RunLocks {
  /** For the runs of this tab, by id: releases the lock, and resolves when the browser has done so. */
  private readonly own = new Map<string, () => Promise<void>>();
  /** Locks that are being acquired or released. The next request for one waits. */
  private readonly changing = new Map<string, Promise<unknown>>();

  constructor(private readonly locks: Pick<LockManager, 'request' | 'query'>) {}

  /** Acquires a run's lock; false if another tab holds it. */
  async hold(id: string): Promise<boolean> {
    while (this.changing.has(id)) await this.changing.get(id);
    if (this.own.has(id)) return true;
    const acquired = new Promise<boolean>((resolve, reject) => {
      const ended = this.locks.request(LOCK + id, { ifAvailable: true }, (lock) => {
        if (!lock) {
          resolve(false);
          return undefined;
        }
        return new Promise<void>((release) => {
          this.own.set(id, async () => {
            release();
            await ended;
          });
          resolve(true);
        });
      });
      ended.catch(reject);
    });
    return this.during(id, acquired);
  }

  release(id: string): void {
    const release = this.own.get(id);
    if (!release) return;
    this.own.delete(id);
    // What the browser refuses it has released.
    void this.during(
      id,
      release().catch(() => undefined),
    );
  }

  isHere(id: string): boolean {
    return this.own.has(id);
  }

  /** The ids of runs that are open in other tabs. */
  async elsewhere(): Promise<Set<string>> {
    // Whose a lock is that is being acquired is not known yet, and one that is being released is nobody's.
    while (this.changing.size > 0) await Promise.allSettled(this.changing.values());
    const before = [...this.own.keys()];
    const { held = [] } = await this.locks.query();
    const ids = held.flatMap(({ name = '' }) => (name.startsWith(LOCK) ? [name.slice(LOCK.length)] : []));
    const own = new Set([...before, ...this.own.keys(), ...this.changing.keys()]);
    return new Set(ids.filter((id) => !own.has(id)));
  }

  private async during<T>(id: string, change: Promise<T>): Promise<T> {
    this.changing.set(id, change);
    try {
      return await change;
    } finally {
      this.changing.delete(id);
    }
  }
}
