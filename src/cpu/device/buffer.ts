import type { Memory } from './memory.ts';
import type { Queue } from './queue.ts';

/** What of GPUBuffer this program uses. */
export class CpuBuffer {
  private isDestroyed = false;

  constructor(
    private readonly memory: Memory,
    private readonly queue: Queue,
    readonly label: string,
    readonly size: number,
    /** Where it lies in memory. */
    readonly address: number,
  ) {}

  mapAsync(): Promise<void> {
    return this.queue.reached();
  }

  /** A copy: what is written to it is lost. Buffers are mapped to be read alone. */
  getMappedRange(offset = 0, size = this.size - offset): ArrayBuffer {
    const start = this.address + offset;
    return this.memory.bytes.slice(start, start + size).buffer;
  }

  unmap(): void {}

  /** Its memory is free when all that was submitted is done. */
  destroy(): void {
    if (this.isDestroyed) return;
    this.isDestroyed = true;
    this.queue.reached().then(
      () => this.memory.free(this.address, this.size),
      // Nothing is given a place in that memory any more.
      () => undefined,
    );
  }
}
