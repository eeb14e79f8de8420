/**
 * An event that happens at most once and cuts any number of waits short: a device's loss, a worker's death.
 * `Promise.race` against one long-lived promise would work, but holds every wait's result for as long as that promise
 * lives (https://github.com/nodejs/node/issues/17469).
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

  /** The result of `work`, or the ending if that comes first or has happened already. */
  async orElse<U>(work: Promise<U>): Promise<U | T> {
    if (this.happened) {
      // Its result is not awaited.
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
