/** When a run saves checkpoints while it trains. It does at every pause too. */
import type { TrainingConfig } from './config.ts';

/** How often between epochs, unless the configuration says otherwise. */
const EVERY_MS = 5000;

export class CheckpointTimes {
  /** The largest share of the time that those at the ends of epochs may take; without one, every epoch ends with one. */
  share = Infinity;
  /** When the last one began. */
  private began = 0;
  /** How long it took; Infinity until then. */
  private ms = 0;

  constructor(private readonly every: NonNullable<TrainingConfig['checkpointEvery']> = { ms: EVERY_MS }) {}

  /** Call when training starts or resumes: the first interval begins at the first step. */
  start(): void {
    this.began ||= performance.now();
  }

  /** A checkpoint begins. Returns what to call when it is saved. */
  begin(): () => void {
    const began = performance.now();
    this.began = began;
    this.ms = Infinity;
    return () => (this.ms = performance.now() - began);
  }

  /** The first step after `step` that one is due at, if the interval is in steps; else Infinity. */
  stepAfter(step: number): number {
    const { every } = this;
    return 'ms' in every ? Infinity : every.steps * (Math.floor(step / every.steps) + 1);
  }

  /** Whether one is due by now, if the interval is in time. */
  get isDue(): boolean {
    return 'ms' in this.every && performance.now() - this.began > this.every.ms;
  }

  /** Whether one at an epoch's end keeps within the share. */
  get isAffordable(): boolean {
    return this.share === Infinity || performance.now() - this.began >= this.ms / this.share;
  }
}
