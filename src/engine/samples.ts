import { Failure } from '../base/result.ts';
import { elements, type Shape } from '../base/shape.ts';
import type { Device } from '../gpu/device.ts';
import { mebibytes, type GpuBuffer } from '../gpu/ledger.ts';
import { channelScales } from './gather/index.ts';
import { placed, placedIn, type Tensor } from './plan.ts';

/** Labelled images as bytes. */
export interface SampleSet {
  /** count x C x H x W. */
  images: Uint8Array<ArrayBufferLike>;
  labels: Uint8Array<ArrayBufferLike>;
  count: number;
}

/** Normalisation of pixels scaled to [0, 1]: (x - mean) / std by channel. */
export interface Normalisation {
  mean: readonly number[];
  std: readonly number[];
}

/** Alignment of bindings on every GPU: WebGPU's minStorageBufferOffsetAlignment is at most this. */
const ALIGNMENT = 256;

/** Labelled images on the GPU, one byte per value. */
export class DeviceSamples {
  private constructor(
    readonly count: number,
    readonly images: Tensor,
    /** The rest of the images, if one binding cannot cover all: some GPUs bind 128 MiB, and CIFAR-10 has 146. */
    readonly imagesBeyond: Tensor | undefined,
    readonly imageLabels: Tensor,
    readonly channels: Tensor,
    private readonly buffers: readonly GpuBuffer[],
  ) {}

  /**
   * @param shape [C, H, W] of an image
   * @throws Failure('out-of-memory') if two bindings cannot cover the images
   */
  static async upload(
    device: Device,
    name: string,
    set: SampleSet,
    shape: Shape,
    { mean, std }: Normalisation,
  ) {
    const window = Math.floor(device.limit('maxStorageBufferBindingSize') / ALIGNMENT) * ALIGNMENT;
    const bytes = Math.ceil((set.count * elements(shape)) / 4) * 4;
    const most = Math.min(2 * window, device.limit('maxBufferSize'));
    if (bytes > most) {
      throw new Failure(
        'out-of-memory',
        `the ${name} images are ${mebibytes(bytes)}; this GPU allows ${mebibytes(most)}`,
        'Take fewer or smaller images.',
      );
    }
    const images = await device.ledger.upload(`${name} images`, owned(set.images));
    const labels = await device.ledger.upload(`${name} labels`, owned(set.labels));
    const scales = await device.ledger.upload(`${name} channels`, channelScales(mean, std));
    const part = (offset: number, end: number) =>
      placed(images.label, [(end - offset) / 4], { buffer: images, offset, bytes: end - offset });
    return new DeviceSamples(
      set.count,
      part(0, Math.min(window, bytes)),
      bytes > window ? part(window, bytes) : undefined,
      placedIn(labels, [Math.ceil(set.count / 4)]),
      placedIn(scales, [shape[0], 2]),
      [images, labels, scales],
    );
  }

  destroy(): void {
    for (const buffer of this.buffers) buffer.destroy();
  }
}

/** WebGPU uploads only from unshared memory; a view of shared memory is copied. */
const owned = (bytes: Uint8Array<ArrayBufferLike>): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
