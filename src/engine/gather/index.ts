/** Takes a batch out of a data set that lies on the GPU as bytes, and normalises it: one dispatch. */
import { assert } from '../../base/assert.ts';
import { elements } from '../../base/shape.ts';
import { grid, type PlanBuilder, type Tensor } from '../plan.ts';

export interface GatherTensors {
  /** Bytes of all images, [count, C, H, W], as they lie in u32 words. */
  images: Tensor;
  /** A byte an image, as they lie in u32 words. */
  imageLabels: Tensor;
  /** [C, 2]: what `channelScales` answers. */
  channels: Tensor;
  /** [B, C, H, W]: (byte / 255 - mean) / std. Zero beyond the step's samples. */
  x: Tensor;
  /** u32 [B]; 0 beyond the step's samples. */
  labels: Tensor;
}

/** Mean and standard deviation by channel, of pixels scaled to [0, 1], as the kernel reads them. */
export function channelScales(mean: readonly number[], std: readonly number[]): Float32Array<ArrayBuffer> {
  assert(mean.length === std.length, `${mean.length} means, ${std.length} deviations`);
  return Float32Array.from(mean.flatMap((value, channel) => [value, std[channel]]));
}

/** Adds the gathering of the samples in the step's indices to `plan`. */
export function gatherBatch(plan: PlanBuilder, tensors: GatherTensors): void {
  const [, C, H, W] = tensors.x.shape;
  assert(elements(tensors.channels.shape) === 2 * C, `scales for ${C} channels are missing`);
  const count = elements(tensors.x.shape);
  plan.dispatch({
    label: 'gather batch',
    kernel: { shader: 'gather/batch', constants: { PIXELS: C * H * W, PLANE: H * W } },
    tensors: {
      images: tensors.images,
      image_labels: tensors.imageLabels,
      channels: tensors.channels,
      x: tensors.x,
      labels: tensors.labels,
    },
    uniforms: { count },
    workgroups: grid(count, 64),
  });
}
