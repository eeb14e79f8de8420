/** Reads a layers model of TensorFlow.js as a trained network, where it is made of layers that wgrad has. */
import { parseJson } from '../../base/json.ts';
import { Failure } from '../../base/result.ts';
import { isImageShape, MAX_IMAGE, MAX_SIDE } from '../../base/shape.ts';
import { inferShapes, layoutParameters } from '../../engine/network.ts';
import type { StateDict } from '../../engine/parameters.ts';
import { MAX_LAYERS } from '../../models/file/parse.ts';
import { JsonPlace } from '../../models/file/place.ts';
import { readWeightsMetadata, type WeightsInfo } from '../../models/file/weights.ts';
import type { Model } from '../../models/model.ts';
import { Budget } from '../budget.ts';
import type { Imported } from '../imported.ts';
import { imageOfPixels } from '../pixels.ts';
import { inverse, transposed } from '../transposed.ts';
import type { KerasWeight } from './graph.ts';
import { TfjsNetwork, type FileLayer } from './network.ts';
import { READERS } from './readers.ts';
import { readManifest, tensorsIn, type KerasTensor } from './tensors.ts';
import { layersModelOf, manifestOf } from './write.ts';

/** Characters of model.json. */
const MAX_TEXT = 2 ** 25;
/** Nesting: the nodes of a layer's inputs are nested the most. */
const MAX_DEPTH = 20;

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
  return ownFile(file, text, root, tensors) ?? foreignFile(file, root, tensors, budget);
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

type Tensors = ReadonlyMap<string, () => KerasTensor>;

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
  const className = model.at('class_name').text('Functional, Model or Sequential', undefined, 100);
  const config = model.at('config');
  const { layers, outputs, images } =
    className === 'Sequential' ? sequential(file, config) : functional(file, className, config);
  const network = new TfjsNetwork(file, images.shape, layers, tensors, budget, images.pixels);
  const names = new Set<string>();
  for (const layer of layers) {
    if (names.has(layer.name)) throw network.bad(layer, 'there are two layers of this name');
    names.add(layer.name);
    if (layer.name === images.name) network.define(layer, { kind: 'images' });
    else {
      if (!Object.hasOwn(READERS, layer.className))
        throw network.unsupported(layer, 'wgrad has no layer for it');
      network.define(layer, READERS[layer.className](network, layer));
    }
  }
  const name = config.at('name').value;
  const title = typeof name === 'string' && name !== '' ? name.slice(0, 100) : file;
  return network.finish(outputs, title, knownMetadata(file, root));
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

interface FileModel {
  layers: FileLayer[];
  outputs: string[];
  images: { name: string; shape: readonly number[]; pixels: boolean };
}

/** Layers one after the other. The first may state the images' size instead of an InputLayer. */
function sequential(file: string, config: JsonPlace): FileModel {
  const list = Array.isArray(config.value) ? config : config.at('layers');
  const layers = list.items('layers', 1, MAX_LAYERS + 1).map((place) => layerAt(file, place));
  const [first] = layers;
  if (first.className !== 'InputLayer')
    layers.unshift({ ...first, className: 'InputLayer', name: ' images' });
  const chained = layers.map((layer, i) => ({ ...layer, inputs: i === 0 ? [] : [layers[i - 1].name] }));
  const { name } = chained[chained.length - 1];
  return { layers: chained, outputs: [name], images: imagesOf(file, layers[0]) };
}

function functional(file: string, className: string, config: JsonPlace): FileModel {
  if (className !== 'Functional' && className !== 'Model') {
    throw new Failure(
      'unsupported',
      `${file}: expected a model of class Functional, Model or Sequential, found ${className.slice(0, 40)}`,
    );
  }
  const layers = config
    .at('layers')
    .items('layers', 1, MAX_LAYERS + 1)
    .map((place) => ({ ...layerAt(file, place), inputs: inputsAt(file, place) }));
  const inputs = namesAt(config.at('input_layers'));
  const input = layers.find(({ name }) => name === inputs[0]);
  if (inputs.length !== 1 || !input)
    throw new Failure('unsupported', `${file}: expected one input, the images, found ${inputs.length}`);
  return { layers, outputs: namesAt(config.at('output_layers')), images: imagesOf(file, input) };
}

function layerAt(file: string, place: JsonPlace): FileLayer {
  const className = place.at('class_name').text('the name of a layer’s class', undefined, 100);
  const config = place.at('config');
  const named = place.at('name').isAbsent ? config.at('name') : place.at('name');
  const name = named.text(`the name of a layer of ${file}`, undefined, 300);
  return { name, className, config, inputs: [] };
}

/** The layers that a layer reads: [[["conv1", 0, 0, {}], ...]]. */
function inputsAt(file: string, place: JsonPlace): string[] {
  const nodes = place.at('inbound_nodes');
  if (nodes.isAbsent) return [];
  const calls = nodes.items('uses of a layer', 0, MAX_LAYERS);
  if (calls.length === 0) return [];
  if (calls.length > 1)
    throw new Failure(
      'unsupported',
      `${file}: ${nodes.path}: a layer that is used twice has shared weights, which wgrad does not have`,
    );
  const [call] = calls;
  if (call.value instanceof Map) {
    throw new Failure(
      'unsupported',
      `${file}: ${call.path}: this is the format of Keras 3, which TensorFlow.js does not read`,
      'Export the model with tf_keras, or as ONNX.',
    );
  }
  return call.items('inputs', 1, MAX_LAYERS).map((input) => {
    const [name] = input.items('parts of an input', 1, 4);
    return name.text('the name of a layer', undefined, 300);
  });
}

/** The names in [["conv1", 0, 0]], or of one alone: ["conv1", 0, 0]. */
function namesAt(place: JsonPlace): string[] {
  const list = place.items('layers', 1, MAX_LAYERS);
  if (typeof list[0].value === 'string') return [list[0].text('the name of a layer', undefined, 300)];
  return list.map((one) => one.items('parts', 1, 4)[0].text('the name of a layer', undefined, 300));
}

/** The images' size, as the input states it: [null, H, W, C], or their pixels: [null, 784]. */
function imagesOf(file: string, { name, config }: FileLayer): FileModel['images'] {
  const place = config.at('batch_input_shape').isAbsent
    ? config.at('batch_shape')
    : config.at('batch_input_shape');
  const sizes = place.isAbsent ? [] : place.items('sizes', 1, 8);
  const [, ...own] = sizes.map(({ value }) => (typeof value === 'number' ? value : NaN));
  const pixels = imageOfPixels(own);
  const [H, W, C] = own;
  const shape = pixels ?? (own.length === 3 ? [C, H, W] : []);
  if (!isImageShape(shape)) {
    const found = sizes.map(({ value }) => (typeof value === 'number' ? value : '?')).join(', ');
    throw new Failure(
      'unsupported',
      `${file}, layer "${name.slice(0, 100)}": expected images [batch, H, W, C] with H, W and C given, or as many values as a square image has, found [${found}]`,
      `Export it with images of a fixed height and width: at most ${MAX_SIDE} each, and ${MAX_IMAGE} values.`,
    );
  }
  return { name, shape, pixels: pixels !== undefined };
}
