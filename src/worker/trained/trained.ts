/**
 * The prediction of a LeNet-5 that comes with the page, so that a drawing is recognised before anything was trained. It is
 * computed by the float64 references: a few milliseconds, while a GPU would still be compiling.
 */
import { Failure } from '../../base/result.ts';
import { elements } from '../../base/shape.ts';
import { softmax } from '../../base/softmax.ts';
import { readSafetensors, type Tensor } from '../../data/formats/safetensors.ts';
import { referenceLogits } from '../../engine/reference/network.ts';
import lenet5 from '../../models/lenet5.ts';
import type { Model } from '../../models/model.ts';
import type { TrainedPrediction } from './api.ts';

/** Below the page's folder. Made by scripts/trained/weights.mjs, which says how. */
export const TRAINED = 'trained/lenet5.safetensors';

export interface Network extends Pick<TrainedPrediction, 'step' | 'testAccuracy'> {
  model: Model;
  tensors: ReadonlyMap<string, Tensor>;
  /** Of pixels in [0, 1]. */
  mean: number;
  std: number;
}

let network: Promise<Network> | undefined;

/**
 * @param pageUrl the page's folder, ending in "/"
 * @throws Failure `download` if the weights cannot be fetched, `bad-input` for an image of another size
 */
export async function predictTrained(
  image: Uint8Array,
  pageUrl: string,
  get: typeof fetch,
): Promise<TrainedPrediction> {
  const trained = await trainedNetwork(pageUrl, get);
  const { model, tensors, step, testAccuracy } = trained;
  const batch = { shape: [1, ...model.input], x: inputOf(trained, image) };
  const logits = referenceLogits(model.layers, batch, (name) => tensors.get(name)?.data ?? []);
  return { probabilities: softmax(logits), step, testAccuracy };
}

/** The network, fetched once. @throws Failure `download` if it cannot be fetched */
export function trainedNetwork(pageUrl: string, get: typeof fetch): Promise<Network> {
  network ??= load(pageUrl, get);
  // A failure may be the network's; the next request tries again.
  network.catch(() => (network = undefined));
  return network;
}

/** An image as the network's input. @throws Failure `bad-input` if its size differs */
export function inputOf({ model, mean, std }: Network, image: Uint8Array): Float64Array {
  if (image.length !== elements(model.input))
    throw new Failure(
      'bad-input',
      `expected an image of ${model.input.join(' x ')}, found ${image.length} bytes`,
    );
  return Float64Array.from(image, (byte) => (byte / 255 - mean) / std);
}

async function load(pageUrl: string, get: typeof fetch): Promise<Network> {
  const response = await get(new URL(TRAINED, pageUrl)).catch(() => undefined);
  if (!response?.ok)
    throw new Failure('download', 'The trained network could not be fetched.', 'Check your connection.');
  return parseTrained(new Uint8Array(await response.arrayBuffer()));
}

/** @throws Failure `bad-file` */
function parseTrained(bytes: Uint8Array): Network {
  const { tensors, metadata } = readSafetensors(TRAINED, bytes);
  const [mean, std, step, testAccuracy] = ['mean', 'std', 'steps', 'test_accuracy'].map((key) =>
    Number(metadata.get(key)),
  );
  return { model: lenet5, tensors, mean, std, step, testAccuracy };
}
