/**
 * Exclusive use of the GPU for measurements: one task at a time, and no training meanwhile, which would distort times.
 */
import { Failure } from '../base/result.ts';

export interface Training {
  /** Pauses the run that trains. Returns whether there was one. */
  pause(): Promise<boolean>;
  /** Resumes it, if it still can. */
  resume(): Promise<void>;
}

/** A task's hold on the GPU. */
export interface Hold {
  /** Aborts when the user stops the task. */
  readonly signal: AbortSignal;
  release(): void;
}

export class ExclusiveGpu {
  private current: { screen: string; abort: AbortController } | undefined;

  constructor(private readonly training: Training) {}

  /** @throws Failure `busy` while a task holds the GPU */
  requireIdle(): void {
    if (!this.current) return;
    throw new Failure(
      'busy',
      `A measurement is running on the ${this.current.screen} screen.`,
      'Wait until it finishes, or stop it there.',
    );
  }

  /**
   * Acquires the GPU immediately. The task must pause a run that trains.
   * @param screen the screen where the task can be stopped, for messages: "Lab"
   * @throws Failure `busy` while another task holds it
   */
  hold(screen: string): Hold {
    this.requireIdle();
    const abort = new AbortController();
    const task = { screen, abort };
    this.current = task;
    return {
      signal: abort.signal,
      release: () => {
        if (this.current === task) this.current = undefined;
      },
    };
  }

  /**
   * Runs a task. A run that trains is paused for it, then resumes.
   * @param work must fail with `cancelled` soon after the signal aborts
   * @throws Failure `busy` while another task holds the GPU
   */
  async run<T>(screen: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal, release } = this.hold(screen);
    let paused = false;
    try {
      paused = await this.training.pause();
      return await work(signal);
    } finally {
      release();
      if (paused) await this.training.resume();
    }
  }

  /** Stops the task that holds the GPU. */
  cancel(): void {
    this.current?.abort.abort();
  }
}
