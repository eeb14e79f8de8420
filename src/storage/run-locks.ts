/**
 * A lock for each run, held by the tab in which it is open, so that tabs neither overwrite each other's runs nor resume the
 * same one. A tab that is closed, or crashes, holds no lock. https://w3c.github.io/web-locks
 */
const LOCK = 'wgrad-run:';

export class RunLocks {
  /** For the runs of this tab, by id: releases the lock. */
  private readonly own = new Map<string, () => void>();
  /** Runs whose locks are being released. */
  private readonly releasing = new Set<string>();

  constructor(private readonly locks: Pick<LockManager, 'request' | 'query'>) {}

  /** Acquires a run's lock; false if another tab holds it. */
  hold(id: string): Promise<boolean> {
    if (this.own.has(id)) return Promise.resolve(true);
    return new Promise((resolve, reject) => {
      const until = (lock: Lock | null) => {
        if (!lock) {
          resolve(false);
          return undefined;
        }
        return new Promise<void>((release) => {
          this.own.set(id, release);
          resolve(true);
        });
      };
      this.locks
        .request(LOCK + id, { ifAvailable: true }, until)
        .catch(reject)
        .finally(() => this.releasing.delete(id));
    });
  }

  release(id: string): void {
    const release = this.own.get(id);
    if (!release) return;
    this.own.delete(id);
    this.releasing.add(id);
    release();
  }

  isHere(id: string): boolean {
    return this.own.has(id);
  }

  /** The ids of runs that are open in other tabs. */
  async elsewhere(): Promise<Set<string>> {
    const { held = [] } = await this.locks.query();
    const ids = held.flatMap(({ name = '' }) => (name.startsWith(LOCK) ? [name.slice(LOCK.length)] : []));
    return new Set(ids.filter((id) => !this.own.has(id) && !this.releasing.has(id)));
  }
}
