/** Reads a layers model of TensorFlow.js as a trained network, where it is made of layers that wgrad has. */
import { parseJson } from '../../base/json.ts';
import { Failure, unlessFailure } from '../../base/result.ts';
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

/** What the layers of the file read that read the images. */
const IMAGES = ' images';

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
  if (model.at('class_name').isAbsent && !topology.at('node').isAbsent)
    throw new Failure(
      'unsupported',
      `${file}: a graph model, which has operations of TensorFlow in place of layers`,
      'Export a layers model: tensorflowjs_converter --output_format tfjs_layers_model.',
    );
  const { layers, outputs, first } = modelAt(file, model, [IMAGES]);
  const images = imagesOf(file, first);
  const network = new TfjsNetwork(file, images.shape, layers, tensors, budget, images.pixels);
  network.define({ name: IMAGES }, { kind: 'images' });
  const names = new Set<string>();
  for (const layer of layers) {
    if (names.has(layer.name)) throw network.bad(layer, 'there are two layers of this name');
    names.add(layer.name);
    if (!Object.hasOwn(READERS, layer.className))
      throw network.unsupported(layer, 'wgrad has no layer for it');
    network.define(layer, READERS[layer.className](network, layer));
  }
  const name = model.at('config').at('name').value;
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

/** Models are layers of others: Sequential and Functional ones, nested as they like. */
const MODELS = new Set(['Sequential', 'Functional', 'Model']);

interface FileModel {
  layers: FileLayer[];
  outputs: readonly string[];
  /** The layer that states the size of what the model reads. */
  first: FileLayer;
}

/**
 * The layers of a model, with those of models in it in their places.
 * @param given the names of what it reads
 */
function modelAt(file: string, place: JsonPlace, given: readonly string[]): FileModel {
  const className = place.at('class_name').text('Functional, Model or Sequential', undefined, 100);
  if (!MODELS.has(className)) {
    throw new Failure(
      'unsupported',
      `${file}: expected a model of class Functional, Model or Sequential, found ${className.slice(0, 40)}`,
    );
  }
  const config = place.at('config');
  return className === 'Sequential' ? sequential(file, config, given) : functional(file, config, given);
}

/** Layers one after the other. The first may state the images' size instead of an InputLayer. */
function sequential(file: string, config: JsonPlace, given: readonly string[]): FileModel {
  const list = Array.isArray(config.value) ? config : config.at('layers');
  const layers: FileLayer[] = [];
  let first: FileLayer | undefined;
  let outputs = given;
  for (const place of list.items('layers', 1, MAX_LAYERS + 1)) {
    const layer = { ...layerAt(file, place), inputs: outputs };
    const inside = MODELS.has(layer.className) ? modelAt(file, place, outputs) : undefined;
    first ??= inside?.first ?? layer;
    if (layer.className === 'InputLayer') continue;
    layers.push(...(inside?.layers ?? [layer]));
    outputs = inside?.outputs ?? [layer.name];
  }
  return { layers, outputs, first: first as FileLayer };
}

function functional(file: string, config: JsonPlace, given: readonly string[]): FileModel {
  const inputs = namesAt(config.at('input_layers'));
  if (inputs.length !== given.length)
    throw new Failure('unsupported', `${file}: expected one input, the images, found ${inputs.length}`);
  // What stands for the output of a layer: inputs, and models.
  const outputs = new Map(inputs.map((name, i) => [name, given[i]]));
  const named = (name: string) => outputs.get(name) ?? name;
  const layers: FileLayer[] = [];
  let first: FileLayer | undefined;
  for (const place of config.at('layers').items('layers', 1, MAX_LAYERS + 1)) {
    const layer = { ...layerAt(file, place), inputs: inputsAt(file, place).map(named) };
    if (layer.name === inputs[0]) first = layer;
    if (inputs.includes(layer.name)) continue;
    if (!MODELS.has(layer.className)) {
      layers.push(layer);
      continue;
    }
    const inside = modelAt(file, place, layer.inputs);
    if (inside.outputs.length !== 1)
      throw new Failure(
        'unsupported',
        `${file}, layer "${layer.name.slice(0, 100)}": expected a model of one output, found ${inside.outputs.length}`,
      );
    layers.push(...inside.layers);
    outputs.set(layer.name, inside.outputs[0]);
  }
  if (!first)
    throw new Failure('bad-file', `${file}: there is no layer "${inputs[0].slice(0, 100)}", the input`);
  return { layers, outputs: namesAt(config.at('output_layers')).map(named), first };
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
function imagesOf(file: string, { name, config }: FileLayer): { shape: readonly number[]; pixels: boolean } {
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
  return { shape, pixels: pixels !== undefined };
}
