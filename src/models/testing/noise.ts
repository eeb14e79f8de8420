/** Models that train for a few steps on images of noise. */
import { Failure } from '../../base/result.ts';
import { elements } from '../../base/shape.ts';
import sgd from '../../engine/optimizers/sgd.ts';
import { normals } from '../../engine/testing/fixtures.ts';
import { Trainer, type TrainerOptions } from '../../engine/trainer.ts';
import type { Device } from '../../gpu/device.ts';
import { fitModel, type Model } from '../model.ts';

/** The model with images of 8x8; where those are too small to be pooled, of 16x16. */
export function withSmallImages(model: Model): Model {
  const [C] = model.input;
  const classes = { length: model.classes };
  const fit = (size: number) => fitModel(model, { name: 'small images', shape: [C, size, size], classes });
  try {
    return fit(8);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return fit(16);
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
