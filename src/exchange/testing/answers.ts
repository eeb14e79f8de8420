/** Networks with weights, images for them, and what wgrad answers: what other programs are compared with. */
import { Random } from '../../base/random.ts';
import { elements } from '../../base/shape.ts';
import { Inference } from '../../engine/inference.ts';
import { typicalParameters } from '../../engine/typical-parameters.ts';
import type { Device } from '../../gpu/device.ts';
import type { Trained } from '../../models/file/weights.ts';
import type { Model } from '../../models/model.ts';

const NORMALISATION = { mean: [0.3, 0.5, 0.4, 0.6], std: [0.25, 0.2, 0.3, 0.4] };

export function trained(model: Model): Trained {
  const [C] = model.input;
  const normalisation = { mean: NORMALISATION.mean.slice(0, C), std: NORMALISATION.std.slice(0, C) };
  const classes = Array.from({ length: model.classes }, (_, i) => `class ${i}`);
  const parameters = typicalParameters(model.layers, [1, ...model.input]);
  return { model, parameters, info: { normalisation, classes, dataset: 'test' } };
}

/** Bytes of pixels. */
export function pixels(N: number, { input }: Model): Uint8Array<ArrayBuffer> {
  const random = new Random(5, 'pixels');
  return Uint8Array.from({ length: N * elements(input) }, () => Math.floor(256 * random.uniform()));
}

/** @returns [N, classes] */
export async function logitsOf(
  device: Device,
  { model, parameters, info }: Trained,
  images: Uint8Array,
): Promise<Float32Array> {
  const N = images.length / elements(model.input);
  const { layers, input } = model;
  const channels = Array.from({ length: input[0] });
  const normalisation = info.normalisation ?? { mean: channels.map(() => 0), std: channels.map(() => 1) };
  const inference = await Inference.load(device, {
    layers,
    input,
    parameters,
    normalisation,
    batchSize: N,
    count: N,
  });
  const inferred = await inference.run(images);
  inference.destroy();
  return inferred?.logits ?? new Float32Array();
}
