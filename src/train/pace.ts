import { MAX_STEPS } from '../engine/trainer.ts';

/** How long one chunk of steps should keep the GPU busy: a pause waits for two of them at most, or for one step. */
const CHUNK_MS = 40;

/** How many steps to submit at once, by how long they took so far; and how fast that is. */
export class Pace {
  private msPerStep = CHUNK_MS;
  private since = 0;
  /** When the last steps came in; 0 if something else was done since. */
  private lastCollect = 0;

  /** Something else was done: the time until now is not that of steps. */
  begin(): void {
    this.since = performance.now();
    this.lastCollect = 0;
  }

  /** Steps for the next chunk, 1 to `most`. */
  chunk(most: number): number {
    return Math.max(1, Math.min(MAX_STEPS, Math.floor(CHUNK_MS / this.msPerStep), most));
  }

  /** True where a step takes so long that running ahead gains little and makes a pause wait for two. */
  get isSlow(): boolean {
    return this.msPerStep > CHUNK_MS;
  }

  /** `count` steps more were submitted, and those that had to be waited for came in. */
  stepped(count: number): void {
    const now = performance.now();
    this.msPerStep += ((now - this.since) / count - this.msPerStep) / 2;
    this.since = now;
  }

  /** Steps a second, by the time since the last steps came in. */
  speed(count: number): number {
    const now = performance.now();
    const ms = this.lastCollect ? now - this.lastCollect : this.msPerStep * count;
    this.lastCollect = now;
    return (1000 * count) / Math.max(ms, 0.001);
  }
}
