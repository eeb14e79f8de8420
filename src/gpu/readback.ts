import { Failure } from '../base/result.ts';
import type { Device } from './device.ts';
import type { BufferRange, GpuBuffer } from './ledger.ts';

/**
 * Reads buffers back through a few reused staging buffers, so that the steady state allocates none.
 * A loss of the device, or a command that it refused, rejects with 'device-lost'; no invalid value is ever returned.
 */
export class Readback {
  private readonly free: GpuBuffer[] = [];
  private readonly all = new Set<GpuBuffer>();
  private isDestroyed = false;

  constructor(private readonly device: Device) {}

  /** The bytes of `range` after everything submitted so far, and maybe after more. */
  async read(range: BufferRange): Promise<ArrayBuffer> {
    const [bytes] = await (await this.start([range])).bytes;
    return bytes;
  }

  /**
   * Submits copies of `ranges`, all of the same moment: what is submitted after this resolves does not change their bytes,
   * which come later.
   */
  async start(ranges: readonly BufferRange[]): Promise<{ bytes: Promise<ArrayBuffer[]> }> {
    const stagings: GpuBuffer[] = [];
    try {
      for (const range of ranges) stagings.push(await this.take(lengthOf(range)));
    } catch (error) {
      this.free.push(...stagings);
      throw error;
    }
    this.device.requireAlive();
    const encoder = this.device.raw.createCommandEncoder();
    for (const [i, range] of ranges.entries())
      encoder.copyBufferToBuffer(range.buffer.raw, range.offset, stagings[i].raw, 0, lengthOf(range));
    this.device.queue.submit([encoder.finish()]);
    const bytes = Promise.all(ranges.map((range, i) => this.mapped(range, stagings[i])));
    // Its failure is handled when it is awaited.
    bytes.catch(() => undefined);
    return { bytes };
  }

  /** The bytes of `range`, of which a copy is on its way into `staging`. */
  private async mapped(range: BufferRange, staging: GpuBuffer): Promise<ArrayBuffer> {
    const bytes = lengthOf(range);
    try {
      await this.device.prompt.soon(staging.raw.mapAsync(GPUMapMode.READ, 0, bytes));
    } catch (error) {
      this.drop(staging);
      this.device.requireAlive();
      // The loss may be reported slightly after the mapping fails.
      const loss = await Promise.race([
        this.device.lost,
        new Promise<undefined>((done) => setTimeout(done, 250)),
      ]);
      const message = loss?.message ?? (error as Error).message;
      throw new Failure('device-lost', `"${range.buffer.label}" could not be read back: ${message}`);
    }
    // A refused command is reported before the mapping succeeds.
    this.device.requireAlive();
    const copy = staging.raw.getMappedRange(0, bytes).slice(0, range.bytes);
    staging.raw.unmap();
    this.free.push(staging);
    return copy;
  }

  async floats(range: BufferRange): Promise<Float32Array<ArrayBuffer>> {
    return new Float32Array(await this.read(range));
  }

  destroy(): void {
    this.isDestroyed = true;
    for (const buffer of this.all) buffer.destroy();
    this.all.clear();
    this.free.length = 0;
  }

  private async take(bytes: number): Promise<GpuBuffer> {
    this.device.requireAlive();
    // The smallest that fits: metrics do not take what a checkpoint needs.
    const [fits] = this.free.filter((buffer) => buffer.bytes >= bytes).sort((a, b) => a.bytes - b.bytes);
    if (fits) return this.free.splice(this.free.indexOf(fits), 1)[0];
    const smaller = this.free.pop();
    if (smaller) this.drop(smaller);
    // Powers of two, so that reads of similar sizes share a buffer.
    const size = 2 ** Math.ceil(Math.log2(Math.max(256, bytes)));
    const buffer = await this.device.ledger.create(
      'read-back',
      size,
      GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    );
    this.all.add(buffer);
    if (this.isDestroyed) {
      this.drop(buffer);
      throw new Failure('cancelled', 'What was to be read back has been freed.');
    }
    return buffer;
  }

  private drop(buffer: GpuBuffer): void {
    this.all.delete(buffer);
    buffer.destroy();
  }
}

/** Of its copy. */
const lengthOf = (range: BufferRange): number => Math.ceil(range.bytes / 4) * 4;
