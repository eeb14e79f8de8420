/**
 * The prediction of a LeNet-5 that comes with the page, so that a drawing is recognised before anything was trained. It is
 * computed by the float64 references: a few milliseconds, while a GPU would still be compiling.
 */
import { assert } from '../../base/assert.ts';
import { Failure } from '../../base/result.ts';
import { elements } from '../../base/shape.ts';
import { softmax } from '../../base/softmax.ts';
import { fromHalf } from '../../base/half.ts';
import type { NamedTensor } from '../../data/formats/safetensors.ts';
import { inferShapes, type LayerShape } from '../../engine/network.ts';
import { problemOf, type ConvAttributes } from '../../engine/ops/conv/index.ts';
import { convFprop } from '../../engine/ops/conv/reference.ts';
import { linearFprop } from '../../engine/ops/linear/reference.ts';
import { poolProblem, type MaxPoolAttributes } from '../../engine/ops/pooling/geometry.ts';
import { maxPoolForward } from '../../engine/ops/pooling/reference.ts';
import { reluForward } from '../../engine/ops/relu/reference.ts';
import lenet5 from '../../models/lenet5.ts';
import type { Model } from '../../models/model.ts';
import type { TrainedPrediction } from './api.ts';

/** Below the page's folder. Made by scripts/trained/weights.mjs, which says how. */
export const TRAINED = 'trained/lenet5.safetensors';

export interface PretrainedNetwork extends Pick<TrainedPrediction, 'step' | 'testAccuracy'> {
  model: Model;
  tensors: ReadonlyMap<string, NamedTensor>;
  /** Of pixels in [0, 1]. */
  mean: number;
  std: number;
}

let network: Promise<PretrainedNetwork> | undefined;

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
  const { step, testAccuracy } = trained;
  const outputs = trainedOutputs(trained, inputOf(trained, image));
  return { probabilities: softmax(outputs[outputs.length - 1]), step, testAccuracy };
}

/** The output of each layer, one after the other. */
export function trainedOutputs({ model, tensors }: PretrainedNetwork, x: Float64Array): Float64Array[] {
  let last = x;
  return inferShapes(model.layers, [1, ...model.input]).map((one) => (last = forward(one, last, tensors)));
}

/** A layer's output. Only LeNet-5's ops: the page fetches this at once, and the references of all ops are longer. */
function forward(
  { layer: { name, op }, attributes, inputs: [shape], output }: LayerShape,
  x: Float64Array,
  tensors: PretrainedNetwork['tensors'],
): Float64Array {
  const [weight = [], bias = []] = ['weight', 'bias'].map((key) => tensors.get(`${name}.${key}`)?.data);
  if (op === 'conv') return convFprop(problemOf(attributes as ConvAttributes, shape), x, weight, bias);
  if (op === 'max_pool') return maxPoolForward(poolProblem(op, attributes as MaxPoolAttributes, shape), x).y;
  if (op === 'relu') return reluForward(x);
  if (op === 'flatten') return x;
  assert(op === 'linear', `the trained network has no op ${op}`);
  return linearFprop({ N: 1, inFeatures: shape[1], outFeatures: output[1] }, x, weight, bias);
}

/** The network, fetched once. @throws Failure `download` if it cannot be fetched */
export function trainedNetwork(pageUrl: string, get: typeof fetch): Promise<PretrainedNetwork> {
  network ??= load(pageUrl, get);
  // A failure may be the network's; the next request tries again.
  network.catch(() => (network = undefined));
  return network;
}

/** An image as the network's input. @throws Failure `bad-input` if its size differs */
export function inputOf({ model, mean, std }: PretrainedNetwork, image: Uint8Array): Float64Array {
  if (image.length !== elements(model.input))
    throw new Failure(
      'bad-input',
      `expected an image of ${model.input.join(' x ')}, found ${image.length} bytes`,
    );
  return Float64Array.from(image, (byte) => (byte / 255 - mean) / std);
}

async function load(pageUrl: string, get: typeof fetch): Promise<PretrainedNetwork> {
  const response = await get(new URL(TRAINED, pageUrl)).catch(() => undefined);
  if (!response?.ok)
    throw new Failure('download', 'The trained network could not be fetched.', 'Check your connection.');
  return parseTrained(new Uint8Array(await response.arrayBuffer()));
}

/** Reads safetensors of float16, unchecked: the file comes with the page, and the code that checks takes longer to fetch. */
export function parseTrained(bytes: Uint8Array): PretrainedNetwork {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = 8 + Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, start))) as Header;
  const { __metadata__: metadata, ...entries } = header;
  const tensors = Object.entries(entries).map(
    ([
      name,
      {
        shape,
        data_offsets: [from, end],
      },
    ]) => {
      const values = { length: (end - from) / 2 };
      const data = Float32Array.from(values, (_, i) => fromHalf(view.getUint16(start + from + 2 * i, true)));
      return [name, { shape, data }] as const;
    },
  );
  const [mean, std, step, testAccuracy] = ['mean', 'std', 'steps', 'test_accuracy'].map((key) =>
    Number(metadata[key]),
  );
  return { model: lenet5, tensors: new Map(tensors), mean, std, step, testAccuracy };
}

type Header = { __metadata__: Record<string, string> } & Record<
  string,
  { shape: number[]; data_offsets: [from: number, end: number] }
>;
