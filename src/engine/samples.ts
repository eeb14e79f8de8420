import { elements, type Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import type { GpuBuffer } from '../gpu/ledger.ts';
import { channelScales } from './gather/index.ts';
import { placedIn, type Tensor } from './plan.ts';

/** Labelled images as bytes. */
export interface SampleSet {
  /** count x C x H x W. */
  images: Uint8Array<ArrayBufferLike>;
  labels: Uint8Array<ArrayBufferLike>;
  count: number;
}

/** How pixels, scaled to [0, 1], become what the network sees: (x - mean) / std by channel. */
export interface Normalisation {
  mean: readonly number[];
  std: readonly number[];
}

/** Labelled images that lie on the GPU, a byte a pixel. */
export class DeviceSamples {
  private constructor(
    readonly count: number,
    readonly images: Tensor,
    readonly imageLabels: Tensor,
    readonly channels: Tensor,
    private readonly buffers: readonly GpuBuffer[],
  ) {}

  /** @param shape [C, H, W] of an image */
  static async upload(
    device: Device,
    name: string,
    set: SampleSet,
    shape: Shape,
    { mean, std }: Normalisation,
  ) {
    const words = (bytes: number) => [Math.ceil(bytes / 4)];
    const images = await device.ledger.upload(`${name} images`, owned(set.images));
    const labels = await device.ledger.upload(`${name} labels`, owned(set.labels));
    const scales = await device.ledger.upload(`${name} channels`, channelScales(mean, std));
    return new DeviceSamples(
      set.count,
      placedIn(images, words(set.count * elements(shape))),
      placedIn(labels, words(set.count)),
      placedIn(scales, [shape[0], 2]),
      [images, labels, scales],
    );
  }

  destroy(): void {
    for (const buffer of this.buffers) buffer.destroy();
  }
}

/** GPU uploads take plain memory only; a view of shared memory is copied. */
const owned = (bytes: Uint8Array<ArrayBufferLike>): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
