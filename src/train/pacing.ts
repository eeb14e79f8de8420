import { MAX_STEPS } from '../engine/trainer.ts';

/** How long one chunk of steps should keep the GPU busy: a pause waits for two chunks at most, or for one step. */
const CHUNK_MS = 40;

/** Decides how many steps to submit at once, from the time of earlier steps, and measures the reported speed. */
export class Pacing {
  private msPerStep = CHUNK_MS;
  private since = 0;
  /** When the last metrics were read; 0 if something else was done since. */
  private lastRead = 0;

  /** Something else was done: the time until now was not spent on steps. */
  restart(): void {
    this.since = performance.now();
    this.lastRead = 0;
  }

  /** Steps in the next chunk, 1 to `most`. */
  chunk(most: number): number {
    return Math.max(1, Math.min(MAX_STEPS, Math.floor(CHUNK_MS / this.msPerStep), most));
  }

  /** True if steps are so slow that running ahead gains little and makes a pause wait for two. */
  get isSlow(): boolean {
    return this.msPerStep > CHUNK_MS;
  }

  /** `count` more steps were submitted, and the awaited ones are done. */
  stepped(count: number): void {
    const now = performance.now();
    this.msPerStep += ((now - this.since) / count - this.msPerStep) / 2;
    this.since = now;
  }

  /** Steps per second, from the time since the last metrics were read. */
  speed(count: number): number {
    const now = performance.now();
    const ms = this.lastRead ? now - this.lastRead : this.msPerStep * count;
    this.lastRead = now;
    return (1000 * count) / Math.max(ms, 0.001);
  }
}
