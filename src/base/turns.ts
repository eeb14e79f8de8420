/** Work that is done one after the other, in the order of its requests; what fails does not stop what follows. */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  take<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.last.then(work);
    this.last = done.catch(() => undefined);
    return done;
  }

  /** Resolves when all work requested so far is done. */
  settled(): Promise<void> {
    return this.take(() => undefined);
  }
}
