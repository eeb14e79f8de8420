import type { Memory } from './memory.ts';
import type { Queue } from './queue.ts';

/** The part of GPUBuffer that wgrad uses. */
export class CpuBuffer {
  private isDestroyed = false;

  constructor(
    private readonly memory: Memory,
    private readonly queue: Queue,
    readonly label: string,
    readonly size: number,
    /** Its address in memory. */
    readonly address: number,
  ) {}

  mapAsync(): Promise<void> {
    return this.queue.reached();
  }

  /** A copy, because buffers are only mapped to be read. */
  getMappedRange(offset = 0, size = this.size - offset): ArrayBuffer {
    const start = this.address + offset;
    return this.memory.bytes.slice(start, start + size).buffer;
  }

  unmap(): void {}

  /** Frees its memory when everything submitted is done. */
  destroy(): void {
    if (this.isDestroyed) return;
    this.isDestroyed = true;
    this.queue.reached().then(
      () => this.memory.free(this.address, this.size),
      // The queue has ended: no memory will be needed.
      () => undefined,
    );
  }
}
