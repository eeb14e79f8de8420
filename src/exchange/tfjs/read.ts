/** Reads a layers model of TensorFlow.js as a trained network, where it is made of layers that wgrad has. */
import { parseJson } from '../../base/json.ts';
import { Failure, unlessFailure } from '../../base/result.ts';
import { inferShapes, layoutParameters } from '../../engine/network.ts';
import type { StateDict } from '../../engine/parameters.ts';
import { JsonPlace } from '../../base/json-place.ts';
import { readWeightsMetadata, type WeightsInfo } from '../../models/file/weights.ts';
import type { Model } from '../../models/model.ts';
import type { KerasTensor } from '../../ops/keras.ts';
import { Budget } from '../budget.ts';
import type { Imported } from '../imported.ts';
import { inverse, transposed } from '../../base/transposed.ts';
import type { KerasWeight } from './graph.ts';
import { networkOf, type Tensors } from './layers.ts';
import { readManifest, tensorsIn } from './tensors.ts';
import { layersModelOf, manifestOf } from './write.ts';

/** Characters of model.json. */
const MAX_TEXT = 2 ** 25;
/** Nesting: of models in models, the nodes of a layer's inputs. */
const MAX_DEPTH = 60;

/**
 * The network in a layers model of images [N, H, W, C] to one value per class. A model that wgrad wrote gives the model
 * that it was written from; of others, the layers follow from those of the file.
 * @param file the name of model.json, for messages
 * @param beside the bytes of a file in the same folder
 * @throws Failure `bad-file` if it is damaged, `not-found` if a file of weights is missing, `unsupported` with the layer
 *   that wgrad does not have
 */
export async function fromTfjs(
  file: string,
  bytes: Uint8Array,
  beside: (name: string) => Promise<Uint8Array | undefined>,
): Promise<Imported> {
  const text = decode(file, bytes);
  const root = new JsonPlace(file, parseJson(text, rulesOf(file)));
  const groups = readManifest(root.at('weightsManifest'));
  const shards = new Map<string, Uint8Array>();
  for (const path of new Set(groups.flatMap(({ paths }) => paths))) {
    const found = await beside(path);
    if (found) shards.set(path, found);
  }
  const budget = new Budget(
    file,
    [...shards.values()].reduce((sum, shard) => sum + shard.length, bytes.length),
  );
  const tensors = tensorsIn(file, groups, shards, budget);
  const own = ownFile(file, text, root, tensors);
  if (own) return own;
  const network = foreignFile(file, root, tensors, budget);
  const companion = await beside(COMPANION).catch(unlessFailure);
  return companion ? withCompanion(network, COMPANION, companion) : network;
}

/** What Teachable Machine writes beside a model. */
const COMPANION = 'metadata.json';

/** With the names of classes that Teachable Machine writes, and the normalisation of its images. */
function withCompanion(network: Imported, file: string, bytes: Uint8Array): Imported {
  const root = new JsonPlace(file, parseJson(decode(file, bytes), rulesOf(file)));
  const { value: labels } = root.at('labels');
  const { model, info } = network;
  const isNames = Array.isArray(labels) && labels.every((label) => typeof label === 'string');
  const classes = isNames && labels.length === model.classes ? labels.map(String) : info.classes;
  // Its library scales pixels to [-1, 1] before the network.
  const isItsOwn = root.at('packageName').value === '@teachablemachine/image';
  const half = Array.from({ length: model.input[0] }, () => 0.5);
  const normalisation = info.normalisation ?? (isItsOwn ? { mean: half, std: half } : undefined);
  return {
    ...network,
    info: { ...info, ...(classes ? { classes } : {}), ...(normalisation ? { normalisation } : {}) },
  };
}

function decode(file: string, bytes: Uint8Array): string {
  if (bytes.length > MAX_TEXT)
    throw new Failure('bad-file', `${file}: expected at most ${MAX_TEXT} bytes, found ${bytes.length}`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Failure('bad-file', `${file}: expected text in UTF-8`);
  }
}

const rulesOf = (file: string) => ({
  what: 'the model',
  maxDepth: MAX_DEPTH,
  reals: true,
  bad: (at: number, message: string) =>
    new Failure('bad-file', `${file}, character ${at}: ${message.slice(0, 400)}`),
});

/** What the file was written from, if its layers are what wgrad writes from that. */
function ownFile(file: string, text: string, root: JsonPlace, tensors: Tensors): Imported | undefined {
  const metadata = metadataIn(root);
  if (!metadata.has('model')) return undefined;
  try {
    const { model, ...info } = readWeightsMetadata(file, metadata);
    if (!model) return undefined;
    const { modelTopology, weightsManifest } = JSON.parse(text) as {
      modelTopology: unknown;
      weightsManifest: { weights: unknown }[];
    };
    const found = JSON.stringify([modelTopology, weightsManifest[0]?.weights]);
    const { value: layers } = root.at('modelTopology').at('model_config').at('config').at('layers');
    // With the one that normalises, where the file has none.
    const most = 1 + (Array.isArray(layers) ? layers.length : 0);
    for (const normalisation of [info.normalisation, undefined]) {
      const { topology, weights } = layersModelOf(model, normalisation, most);
      if (JSON.stringify([topology, manifestOf(weights)]) !== found) continue;
      return { model, parameters: parametersIn(model, weights, tensors), info, notes: [] };
    }
    return undefined;
  } catch (error) {
    // Edited since: read as any other file, which says what is wrong.
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

/** A model's parameters from the weights that were written from them. */
function parametersIn(model: Model, weights: readonly KerasWeight[], tensors: Tensors): StateDict {
  const { entries, buffers } = layoutParameters(inferShapes(model.layers, [1, ...model.input]));
  const shapes = new Map([...entries, ...buffers.entries].map(({ name, shape }) => [name, shape]));
  const parameters = new Map<string, KerasTensor>();
  for (const { name, values } of weights) {
    const read = tensors.get(name);
    if (values instanceof Float32Array || !read) continue;
    const { parameter, view, order } = values;
    const sizes = order.map((axis) => view[axis]);
    const data = transposed(read().data, sizes, inverse(order));
    parameters.set(parameter, { shape: shapes.get(parameter) ?? view, data });
  }
  return parameters;
}

/** Metadata that wgrad writes: texts by name. */
function metadataIn(root: JsonPlace): Map<string, string> {
  const { value } = root.at('userDefinedMetadata');
  if (!(value instanceof Map)) return new Map();
  return new Map([...value].filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function foreignFile(file: string, root: JsonPlace, tensors: Tensors, budget: Budget): Imported {
  const topology = root.at('modelTopology');
  const model = topology.at('model_config').isAbsent ? topology : topology.at('model_config');
  if (model.at('class_name').isAbsent && !topology.at('node').isAbsent)
    throw new Failure(
      'unsupported',
      `${file}: a graph model, which has operations of TensorFlow in place of layers`,
      'Export a layers model: tensorflowjs_converter --output_format tfjs_layers_model.',
    );
  return networkOf(file, model, tensors, budget, knownMetadata(file, root));
}

/** What classes and data set the file names, if wgrad wrote that. */
function knownMetadata(file: string, root: JsonPlace): WeightsInfo {
  const known = [...metadataIn(root)].filter(([key]) => key === 'classes' || key === 'dataset');
  try {
    return readWeightsMetadata(file, new Map(known));
  } catch (error) {
    if (error instanceof Failure) return {};
    throw error;
  }
}
