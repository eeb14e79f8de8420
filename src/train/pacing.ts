import { MAX_STEPS } from '../engine/trainer.ts';

/** How long one chunk of steps should keep the GPU busy: a pause waits for two chunks at most, or for one step. */
const CHUNK_MS = 40;
/** Speed is measured over at least this long: of chunks that end together, the last took no time by itself. */
const MEASURED_MS = CHUNK_MS / 2;
/** At a limited pace, how often steps are submitted at most: charts redraw as often. */
const PACED_MS = 100;

/** How fast a run trains without a limit. */
export interface Speed {
  stepsPerSecond: number;
  /** True if it has only trained at a slower pace, where each chunk of steps waits for the one before. */
  atLeast: boolean;
}

/**
 * Decides when to submit steps and how many at once, from the time of earlier steps and the chosen pace, and measures the
 * reported speed. Which steps share a submit changes no number of a run.
 */
export class Pacing {
  /** Steps per second at most; Infinity for full speed. */
  limit = Infinity;
  private msPerStep = CHUNK_MS;
  /** The same, when the run last trained at full speed. */
  private fullMsPerStep: number | undefined;
  /** When the last work was done. */
  private since = 0;
  private submittedAt = 0;
  /** When the speed was measured last; undefined if something else was done since. */
  private measuredAt: number | undefined;
  private stepsPerSecond = 0;
  /** Steps since then. */
  private unmeasured = 0;

  /** Something else was done: the time until now was not spent on steps. */
  restart(): void {
    this.since = performance.now();
    this.measuredAt = undefined;
    this.unmeasured = 0;
  }

  /** Steps in the next chunk, 1 to `most`. */
  chunk(most: number): number {
    this.submittedAt = performance.now();
    const due = this.limit * (PACED_MS / 1000);
    return Math.max(1, Math.min(MAX_STEPS, Math.floor(CHUNK_MS / this.msPerStep), Math.floor(due), most));
  }

  /** True if running ahead gains little, or makes a pause wait for two steps: they are slow, or the pace is. */
  get isSlow(): boolean {
    return this.msPerStep > CHUNK_MS || this.limit < Infinity;
  }

  /** `count` steps are done, which were submitted at that time of `performance.now()`. */
  stepped(count: number, submittedAt: number): void {
    const now = performance.now();
    const began = Math.max(this.since, submittedAt);
    this.msPerStep += ((now - began) / count - this.msPerStep) / 2;
    this.since = now;
    if (this.limit === Infinity) this.fullMsPerStep = this.msPerStep;
  }

  /** Waits until the pace lets the run submit more after a chunk of `count` steps, or until `isWanted` is false. */
  async waitAfter(count: number, isWanted: () => boolean): Promise<void> {
    const remaining = () => this.submittedAt + (1000 * count) / this.limit - performance.now();
    if (remaining() <= 0) return;
    while (isWanted() && remaining() > 0)
      await new Promise((done) => setTimeout(done, Math.min(remaining(), CHUNK_MS)));
  }

  get fullSpeed(): Speed {
    const { fullMsPerStep, msPerStep } = this;
    return {
      stepsPerSecond: 1000 / Math.max(fullMsPerStep ?? msPerStep, 0.001),
      atLeast: fullMsPerStep === undefined,
    };
  }

  /** Steps per second while training; the metrics of `count` more were read. */
  speed(count: number): number {
    const now = performance.now();
    this.unmeasured += count;
    const { measuredAt } = this;
    const ms = measuredAt === undefined ? this.msPerStep * this.unmeasured : now - measuredAt;
    if (measuredAt === undefined || ms >= MEASURED_MS) {
      this.stepsPerSecond = (1000 * this.unmeasured) / Math.max(ms, 0.001);
      this.measuredAt = now;
      this.unmeasured = 0;
    }
    return this.stepsPerSecond;
  }
}
