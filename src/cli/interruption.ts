/** Signals, and a reader of the results that is gone. */
import { SIGNALS } from '../node/signals.ts';

/**
 * The first interruption lets a command keep what it has computed, if it asked to; any other ends the program at once.
 */
export class Interruption {
  private stop: (() => void) | undefined;
  private end: (() => void) | undefined;

  /**
   * Calls `stop` at the first interruption instead of ending the program. The command then saves its work and returns soon.
   * @returns a function that undoes it
   */
  on(stop: () => void): () => void {
    this.stop = stop;
    const listeners = SIGNALS.map((signal) => {
      const listener = () => this.happen(() => endBy(signal, listener));
      process.on(signal, listener);
      return { signal, listener };
    });
    return () => {
      this.stop = undefined;
      for (const { signal, listener } of listeners) process.off(signal, listener);
    };
  }

  /** @param end ends the program */
  happen(end: () => void): void {
    if (!this.stop || this.end) return end();
    this.end = end;
    this.stop();
  }

  /** Ends the program as the interruption would have, if there was one. */
  finish(): void {
    this.end?.();
  }
}

/** Ends the program by the signal itself, so that a shell that runs it in a loop ends as well. */
function endBy(signal: (typeof SIGNALS)[number], listener: () => void): void {
  process.off(signal, listener);
  process.kill(process.pid, signal);
}
