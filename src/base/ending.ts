/**
 * Something that happens at most once, and that any number of waits should not outlast: a device's loss, a worker's
 * death. `Promise.race` against one long-lived promise would do, but keeps every wait's outcome for as long as that
 * promise lives (https://github.com/nodejs/node/issues/17469).
 */
export class Ending<T extends object> {
  private happened: T | undefined;
  private readonly waits = new Set<(ending: T) => void>();

  get value(): T | undefined {
    return this.happened;
  }

  happen(ending: T): void {
    if (this.happened) return;
    this.happened = ending;
    for (const cut of this.waits) cut(ending);
    this.waits.clear();
  }

  /** What `work` comes to, or the ending if that comes first or was there before. */
  async orElse<U>(work: Promise<U>): Promise<U | T> {
    if (this.happened) {
      // Its outcome is not awaited.
      work.catch(() => undefined);
      return this.happened;
    }
    let cut: (ending: T) => void = () => undefined;
    const ended = new Promise<T>((done) => (cut = done));
    this.waits.add(cut);
    try {
      return await Promise.race([work, ended]);
    } finally {
      this.waits.delete(cut);
    }
  }
}
