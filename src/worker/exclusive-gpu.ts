/**
 * Exclusive use of the GPU for measurements: one task at a time, and no training meanwhile, which would distort times.
 */
import { Failure } from '../base/result.ts';
import { busyWith, type GpuTask } from '../run/gpu-tasks.ts';

export interface Training {
  /** Does this while nothing trains. A run that it pauses resumes afterwards. */
  whilePaused<T>(work: () => Promise<T>): Promise<T>;
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
   * Runs a task, which holds the GPU from the call on. A run that trains is paused for it, then resumes.
   * @param work must fail with `cancelled` soon after the signal aborts
   * @throws Failure `busy` while another task holds the GPU
   */
  async run<T>(task: GpuTask, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    this.requireIdle();
    const abort = new AbortController();
    this.current = { task, abort };
    this.onChange(task);
    try {
      return await this.training.whilePaused(() => work(abort.signal));
    } finally {
      this.current = undefined;
      this.onChange(undefined);
    }
  }

  /** Stops the task that holds the GPU. */
  cancel(): void {
    this.current?.abort.abort();
  }
}
