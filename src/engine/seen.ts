/** The batch of a training step exactly as the network saw it, augmented and normalised. */
import { fromHalf } from '../base/half.ts';
import { alignUp, ceilDiv, elements, type Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import type { BufferRange, GpuBuffer } from '../gpu/ledger.ts';
import type { Readback } from '../gpu/readback.ts';
import type { Layout } from './dispatch.ts';
import { ALIGNMENT } from './memory.ts';
import { Indexing } from './ops/conv/layout.ts';
import { tensorBytes, type NumberType, type Plan, type Tensor } from './plan.ts';

/** The network's inputs in a step's plan; `keep` each of them. */
export interface BatchTensors {
  /** [B, C, H, W] */
  x: Tensor;
  /** u32 [B]: the labels, and those of the images that mixup blends in, if the step augments. */
  labels: { labels: Tensor; partners?: Tensor };
}

export interface SeenImages {
  /** C x H x W values per image. */
  images: Float32Array<ArrayBuffer>;
  labels: Uint32Array<ArrayBuffer>;
  /** The labels of the images that are blended in; an image's own label without mixup. */
  partners?: Uint32Array<ArrayBuffer>;
}

interface SeenParts {
  device: Device;
  /** [B, C, H, W] */
  shape: Shape;
  /** How images are stored. */
  type: NumberType;
  layout: Layout;
  /** Sources of the copies, images first, and where they go in `buffer`. */
  copies: readonly { from: BufferRange; offset: number }[];
  buffer: GpuBuffer;
  readback: Readback;
}

function inPytorchsOrder(
  images: Float32Array<ArrayBuffer>,
  [, channels, height, width]: Shape,
  layout: Layout,
): Float32Array<ArrayBuffer> {
  if (layout === 'nchw') return images;
  const own = new Indexing(layout, channels, height, width);
  const wanted = new Indexing('nchw', channels, height, width);
  return images.map((_, at) => images[own.at(...wanted.placeOf(at))]);
}

/** A copy of the last batch that does not change while training continues. */
export class SeenBatch {
  private constructor(private readonly made: SeenParts) {}

  static async create(
    device: Device,
    plan: Plan,
    { x, labels: { labels, partners } }: BatchTensors,
    readback: Readback,
  ): Promise<SeenBatch> {
    let end = 0;
    const copies = [x, labels, ...(partners ? [partners] : [])].map((tensor) => {
      const offset = end;
      end += ceilDiv(tensorBytes(tensor), ALIGNMENT) * ALIGNMENT;
      return { from: plan.rangeOf(tensor), offset };
    });
    const buffer = await device.ledger.storage('copy of the batch', end);
    const { shape, type, layout = 'nchw' } = x;
    return new SeenBatch({ device, shape, type, layout, copies, buffer, readback });
  }

  /** Copies the batch of the last submitted step, in one submit, without waiting. */
  copy(): void {
    const { device, copies, buffer } = this.made;
    device.requireAlive();
    const encoder = device.raw.createCommandEncoder();
    for (const { from, offset } of copies)
      encoder.copyBufferToBuffer(from.buffer.raw, from.offset, buffer.raw, offset, alignUp(from.bytes, 4));
    device.queue.submit([encoder.finish()]);
  }

  /** From the last copy: `count` images from `first`, with their labels. */
  async read(first: number, count: number): Promise<SeenImages> {
    const { shape, type, layout, copies, buffer, readback } = this.made;
    const size = elements(shape.slice(1));
    const part = (i: number, numbers: number) => {
      const offset = copies[i].offset + first * numbers * 4;
      return readback.read({ buffer, offset, bytes: count * numbers * 4 });
    };
    const [images, labels, partners] = await Promise.all([
      type === 'f16' ? this.halves(first * size, count * size) : part(0, size),
      part(1, 1),
      copies.length > 2 ? part(2, 1) : undefined,
    ]);
    return {
      images: inPytorchsOrder(new Float32Array(images), shape, layout),
      labels: new Uint32Array(labels),
      ...(partners ? { partners: new Uint32Array(partners) } : {}),
    };
  }

  /** Converts images that are stored in 16 bits. */
  private async halves(first: number, count: number): Promise<ArrayBuffer> {
    // Reads start and end at multiples of four bytes.
    const before = first % 2;
    const offset = 2 * (first - before);
    const bytes = alignUp(2 * (before + count), 4);
    const { buffer, readback } = this.made;
    const bits = new Uint16Array(await readback.read({ buffer, offset, bytes }), 2 * before, count);
    return Float32Array.from(bits, fromHalf).buffer;
  }

  destroy(): void {
    this.made.buffer.destroy();
  }
}
