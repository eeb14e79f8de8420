/** Models that train for a few steps on images of noise. */
import { Failure } from '../../base/result.ts';
import { elements } from '../../base/shape.ts';
import sgd from '../../engine/optimizers/rules/sgd.ts';
import { normals } from '../../engine/testing/fixtures.ts';
import { Trainer, type TrainerOptions } from '../../engine/trainer.ts';
import type { Device } from '../../gpu/device.ts';
import { fitModel, type Model } from '../model.ts';

/** The model with the smallest images of 8x8, 16x16 or 32x32 that are not too small to be pooled. */
export function withSmallImages(model: Model, [size, ...larger]: readonly number[] = [8, 16, 32]): Model {
  const [C] = model.input;
  const classes = { length: model.classes };
  try {
    return fitModel(model, { name: 'small images', shape: [C, size, size], classes });
  } catch (error) {
    if (!(error instanceof Failure) || larger.length === 0) throw error;
    return withSmallImages(model, larger);
  }
}

/** A trainer whose batch is all its images: noise, each of a class of its own. */
export async function noiseTrainer(
  device: Device,
  { layers, input, classes, weightsInit }: Model,
  count: number,
  more: Pick<TrainerOptions, 'settings' | 'choices'>,
): Promise<{ trainer: Trainer; images: Uint8Array<ArrayBuffer>; indices: Uint32Array<ArrayBuffer> }> {
  const images = Uint8Array.from(normals(1, [count * elements(input)]).data, (x) => 128 + 40 * x);
  const indices = Uint32Array.from({ length: count }, (_, i) => i);
  const repeat = (value: number) => new Array<number>(input[0]).fill(value);
  const trainer = await Trainer.create(device, {
    layers,
    input,
    classes,
    batchSize: count,
    optimizer: sgd,
    train: { images, labels: Uint8Array.from(indices), count },
    normalisation: { mean: repeat(0.5), std: repeat(0.25) },
    ...more,
  });
  trainer.parameters.initialize(1, weightsInit);
  return { trainer, images, indices };
}
