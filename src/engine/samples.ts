import { owning, type Owned } from '../base/owned.ts';
import { Failure } from '../base/result.ts';
import { alignUp, ceilDiv, elements, type Shape } from '../base/shape.ts';
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

export interface ReserveOptions {
  /** For messages and labels: "training". */
  name: string;
  /** Images. */
  count: number;
  /** [C, H, W] of an image. */
  shape: Shape;
  normalisation: Normalisation;
}

export interface UploadOptions extends Omit<ReserveOptions, 'count'> {
  set: SampleSet;
}

/** Bytes of all images, padded to whole words. */
const imageBytes = (count: number, shape: Shape): number => alignUp(count * elements(shape), 4);

interface SampleBuffers {
  images: GpuBuffer;
  labels: GpuBuffer;
  scales: GpuBuffer;
}

/** Labelled images on the GPU, one byte per value. */
export class DeviceSamples {
  readonly count: number;
  readonly images: Tensor;
  /** The rest of the images, if one binding cannot cover all: some GPUs bind 128 MiB, and CIFAR-10 has 146. */
  readonly imagesBeyond: Tensor | undefined;
  readonly imageLabels: Tensor;
  readonly channels: Tensor;

  /** @param window bytes that one binding can cover */
  private constructor(
    private readonly device: Device,
    private readonly buffers: SampleBuffers,
    { count, shape }: Pick<ReserveOptions, 'count' | 'shape'>,
    window: number,
    private readonly owned: Owned,
  ) {
    const { images, labels, scales } = buffers;
    const bytes = imageBytes(count, shape);
    const part = (offset: number, end: number) =>
      placed(images.label, [(end - offset) / 4], { buffer: images, offset, bytes: end - offset });
    this.count = count;
    this.images = part(0, Math.min(window, bytes));
    this.imagesBeyond = bytes > window ? part(window, bytes) : undefined;
    this.imageLabels = placedIn(labels, [ceilDiv(count, 4)]);
    this.channels = placedIn(scales, [shape[0], 2]);
  }

  /** @throws Failure('out-of-memory') if two bindings cannot cover the images */
  static async upload(device: Device, { set, ...options }: UploadOptions): Promise<DeviceSamples> {
    const samples = await DeviceSamples.reserve(device, { ...options, count: set.count });
    samples.write(set.images);
    device.ledger.write(samples.buffers.labels, unshared(set.labels));
    return samples;
  }

  /**
   * Room for `count` images, to be written later. Their labels are 0.
   * @throws Failure('out-of-memory') if two bindings cannot cover them
   */
  static async reserve(device: Device, options: ReserveOptions): Promise<DeviceSamples> {
    const { name, count, shape, normalisation } = options;
    const window = Math.floor(device.limit('maxStorageBufferBindingSize') / ALIGNMENT) * ALIGNMENT;
    const bytes = imageBytes(count, shape);
    const most = Math.min(2 * window, device.limit('maxBufferSize'));
    if (bytes > most) {
      throw new Failure(
        'out-of-memory',
        `the ${name} images are ${mebibytes(bytes)}; this device allows ${mebibytes(most)}`,
        'Use fewer or smaller images.',
      );
    }
    const { ledger } = device;
    return owning(async (owned) => {
      const { own } = owned;
      const buffers = {
        images: own(await ledger.storage(`${name} images`, bytes)),
        labels: own(await ledger.storage(`${name} labels`, count)),
        scales: own(
          await ledger.upload(`${name} channels`, channelScales(normalisation.mean, normalisation.std)),
        ),
      };
      return new DeviceSamples(device, buffers, options, window, owned);
    });
  }

  /** Replaces the first images. @param images at most `count` x C x H x W bytes */
  write(images: Uint8Array): void {
    this.device.ledger.write(this.buffers.images, unshared(images));
  }

  destroy(): void {
    this.owned.destroy();
  }
}

/** WebGPU uploads only from unshared memory; a view of shared memory is copied. */
const unshared = (bytes: Uint8Array<ArrayBufferLike>): Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : new Uint8Array(bytes);
