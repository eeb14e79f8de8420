/**
 * Exclusive use of the GPU for measurements: one task at a time, and no training meanwhile, which would distort times.
 */
import { Failure } from '../base/result.ts';
import { busyWith, type GpuTask } from '../run/gpu-tasks.ts';

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
  private current: { task: GpuTask; abort: AbortController } | undefined;

  /** @param onChange called with the task that holds the GPU, or undefined, when that changes */
  constructor(
    private readonly training: Training,
    private readonly onChange: (task: GpuTask | undefined) => void,
  ) {}

  /** @throws Failure `busy` while a task holds the GPU */
  requireIdle(): void {
    if (!this.current) return;
    const { message, advice } = busyWith(this.current.task);
    throw new Failure('busy', message, advice);
  }

  /**
   * Acquires the GPU immediately. The task must pause a run that trains.
   * @throws Failure `busy` while another task holds it
   */
  hold(task: GpuTask): Hold {
    this.requireIdle();
    const abort = new AbortController();
    const held = { task, abort };
    this.current = held;
    this.onChange(task);
    return {
      signal: abort.signal,
      release: () => {
        if (this.current !== held) return;
        this.current = undefined;
        this.onChange(undefined);
      },
    };
  }

  /**
   * Runs a task. A run that trains is paused for it, then resumes.
   * @param work must fail with `cancelled` soon after the signal aborts
   * @throws Failure `busy` while another task holds the GPU
   */
  async run<T>(task: GpuTask, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal, release } = this.hold(task);
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
