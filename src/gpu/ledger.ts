import { Failure } from '../base/result.ts';
import type { Device } from './device.ts';

/** A buffer that the ledger knows of. */
export interface GpuBuffer {
  readonly label: string;
  readonly bytes: number;
  readonly raw: GPUBuffer;
  readonly generation: number;
  destroy(): void;
}

/** A part of a buffer, for bind groups. */
export interface BufferRange {
  buffer: GpuBuffer;
  /** Bytes from the buffer's start; a multiple of 256. */
  offset: number;
  bytes: number;
}

export const wholeBuffer = (buffer: GpuBuffer): BufferRange => ({ buffer, offset: 0, bytes: buffer.bytes });

export interface LedgerEntry {
  readonly label: string;
  readonly bytes: number;
}

/** Every buffer of a device: created in error scopes, counted while alive. */
export class BufferLedger {
  private readonly alive = new Map<GPUBuffer, LedgerEntry>();
  /** The number of buffers created since the device was opened; it does not grow in the steady state. */
  made = 0;
  /**
   * The total bytes at the last failed allocation; undefined until memory runs out, and again if that much can be
   * allocated later. WebGPU does not report how much memory a GPU has.
   */
  tooMuch: number | undefined;

  constructor(private readonly device: Device) {}

  get buffers(): number {
    return this.alive.size;
  }

  get bytes(): number {
    let sum = 0;
    for (const { bytes } of this.alive.values()) sum += bytes;
    return sum;
  }

  /** The living buffers, in the order of creation. */
  get entries(): LedgerEntry[] {
    return [...this.alive.values()];
  }

  /**
   * @param label names the buffer in errors
   * @param bytes rounded up to a multiple of 4
   */
  async create(label: string, bytes: number, usage: GPUBufferUsageFlags): Promise<GpuBuffer> {
    const size = Math.max(16, Math.ceil(bytes / 4) * 4);
    const limit = this.device.limit('maxBufferSize');
    if (size > limit) {
      throw new Failure(
        'out-of-memory',
        `buffer "${label}" needs ${mebibytes(size)}; this device allows ${mebibytes(limit)} per buffer`,
        'Choose a smaller batch size or model.',
      );
    }
    const raw = await this.device
      .checked(`buffer "${label}" of ${mebibytes(size)}`, () =>
        this.device.raw.createBuffer({ label, size, usage }),
      )
      .catch((error: unknown) => {
        if (error instanceof Failure && error.code === 'out-of-memory') this.tooMuch = this.bytes + size;
        throw error;
      });
    this.alive.set(raw, { label, bytes: size });
    this.made++;
    if (this.tooMuch !== undefined && this.bytes >= this.tooMuch) this.tooMuch = undefined;
    return {
      label,
      bytes: size,
      raw,
      generation: this.device.generation,
      destroy: () => {
        raw.destroy();
        this.alive.delete(raw);
      },
    };
  }

  /** A storage buffer that can be written and read back, with the additional usage `also`. */
  storage(label: string, bytes: number, also: GPUBufferUsageFlags = 0): Promise<GpuBuffer> {
    return this.create(
      label,
      bytes,
      GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC | also,
    );
  }

  /** A storage buffer filled with `data`. */
  async upload(label: string, data: ArrayBufferView<ArrayBuffer>): Promise<GpuBuffer> {
    const buffer = await this.storage(label, data.byteLength);
    this.write(buffer, data);
    return buffer;
  }

  /** Writes `data` from the buffer's start. Zeros complete the last word. */
  write({ raw }: GpuBuffer, data: ArrayBufferView<ArrayBuffer>): void {
    const { queue } = this.device;
    const whole = data.byteLength - (data.byteLength % 4);
    queue.writeBuffer(raw, 0, data.buffer, data.byteOffset, whole);
    if (whole === data.byteLength) return;
    const tail = new Uint8Array(4);
    tail.set(new Uint8Array(data.buffer, data.byteOffset + whole, data.byteLength - whole));
    queue.writeBuffer(raw, whole, tail);
  }
}

export const mebibytes = (bytes: number): string =>
  bytes < 1048576 ? `${(bytes / 1024).toFixed(1)} KiB` : `${(bytes / 1048576).toFixed(1)} MiB`;
