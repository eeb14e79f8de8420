/** Gathers a batch from a data set that lies on the GPU as bytes, augments and normalises its images: one dispatch. */
import { assert } from '../../base/assert.ts';
import { ceilDiv, elements } from '../../base/shape.ts';
import { grid, type PlanBuilder, type Tensor } from '../plan.ts';

export interface GatherTensors {
  /** Bytes of all images, [count, C, H, W], as they lie in u32 words. */
  images: Tensor;
  /** Images in the data set. */
  count: number;
  /** The rest of the images, if one binding cannot cover all. */
  imagesBeyond?: Tensor | undefined;
  /** One byte per image, as they lie in u32 words. */
  imageLabels: Tensor;
  /** [C, 2]: see `channelScales`. */
  channels: Tensor;
  /** [B, C, H, W], in either layout; with views, each image in as many rows: (byte / 255 - mean) / std. Zero past the step's samples. */
  x: Tensor;
  /** u32 [B]; 0 past the step's samples. */
  labels: Tensor;
  /**
   * u32 [B]: labels of the images that mixup blends in, otherwise each image's own. If absent, nothing is augmented.
   */
  partners?: Tensor;
}

/** Views of an image at test time: itself; and its mirror image; and both shifted by a pixel in two directions. */
export type Views = 1 | 2 | 6;

/** Values that a workgroup of the kernel writes. */
const BLOCK = 256;

/** Mean and standard deviation by channel, of pixels scaled to [0, 1], as the kernel reads them. */
export function channelScales(mean: readonly number[], std: readonly number[]): Float32Array<ArrayBuffer> {
  assert(mean.length === std.length, `${mean.length} means, ${std.length} deviations`);
  return Float32Array.from(mean.flatMap((value, channel) => [value, std[channel]]));
}

/**
 * Adds a dispatch to `plan` that gathers the samples in the step's indices. The step's data also holds the augmentation
 * and its seed.
 * @param views of each image, which are not augmented then
 */
export function gatherBatch(plan: PlanBuilder, tensors: GatherTensors, views: Views = 1): void {
  const [rows, C, H, W] = tensors.x.shape;
  assert(elements(tensors.channels.shape) === 2 * C, `scales for ${C} channels are missing`);
  const blocks = ceilDiv(C * H * W, BLOCK);
  plan.dispatch({
    label: 'gather batch',
    kernel: {
      shader: 'gather/batch',
      constants: {
        CHANNELS: C,
        HEIGHT: H,
        WIDTH: W,
        BLOCKS: blocks,
        CHANNELS_LAST: tensors.x.layout === 'nhwc',
        COUNT: tensors.count,
        VIEWS: views,
        AUGMENTED: tensors.partners !== undefined,
        WINDOW: tensors.imagesBeyond ? elements(tensors.images.shape) : 0,
        Number: tensors.x.type,
      },
    },
    tensors: {
      images: tensors.images,
      images_beyond: tensors.imagesBeyond ?? tensors.images,
      image_labels: tensors.imageLabels,
      channels: tensors.channels,
      x: tensors.x,
      labels: tensors.labels,
      partners: tensors.partners ?? plan.tensor('no partners', [1]),
    },
    uniforms: { rows },
    workgroups: grid(rows * blocks, 1),
    part: { pass: 'data' },
    // Of the data set, only the batch's pixels and labels count. With mixup, each sample reads two images.
    bytes: 5 * rows * (C * H * W + 1),
  });
}
