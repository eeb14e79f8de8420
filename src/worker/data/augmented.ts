/** Augmented training images, converted back to bytes for display. */
import { checkAugmentation } from '../../base/augmentation.ts';
import { elements } from '../../base/shape.ts';
import type { Dataset } from '../../data/dataset.ts';
import { gatherReference } from '../../engine/gather/reference.ts';
import { mixWeight, stepSeed } from '../../train/batches.ts';
import type { StepAugmentation } from '../api.ts';

/**
 * @param images the batch: count x C x H x W bytes
 * @throws Failure `bad-input` if the augmentation does not fit the images
 */
export function augmentedImages(
  images: Uint8Array,
  { shape, mean, std }: Pick<Dataset, 'shape' | 'mean' | 'std'>,
  { augmentation, seed, step }: StepAugmentation,
): Uint8Array {
  checkAugmentation(augmentation, shape);
  const indices = Array.from({ length: images.length / elements(shape) }, (_, i) => i);
  const x = gatherReference({ images, shape, mean, std }, indices, {
    augmentation,
    seed: stepSeed(seed, step),
    ...(augmentation.mixup > 0 ? { mix: mixWeight(seed, step, augmentation.mixup) } : {}),
  });
  const [C, H, W] = shape;
  return Uint8Array.from(x, (value, i) => {
    const channel = Math.floor(i / (H * W)) % C;
    return Math.min(255, Math.max(0, Math.round(255 * (value * std[channel] + mean[channel]))));
  });
}
