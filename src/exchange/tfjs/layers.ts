/** The layers of a model as Keras and TensorFlow.js write them, with those of models in it. */
import { Failure } from '../../base/result.ts';
import { isImageShape, MAX_IMAGE, MAX_SIDE } from '../../base/shape.ts';
import { MAX_LAYERS } from '../../models/file/parse.ts';
import type { JsonPlace } from '../../base/json-place.ts';
import type { WeightsInfo } from '../../models/file/weights.ts';
import { KerasConfig, type FileLayer, type KerasTensor } from '../../ops/keras.ts';
import type { Budget } from '../budget.ts';
import type { Imported } from '../imported.ts';
import { imageOfPixels } from '../pixels.ts';
import { TfjsNetwork } from './network.ts';
import { READERS } from './readers.ts';

/** What the layers of the file read that read the images. */
const IMAGES = ' images';

/** Weights by name, "conv1/kernel"; each is read when it is asked for. */
export type Tensors = ReadonlyMap<string, () => KerasTensor>;

/**
 * The network of a model: its layers follow from those of the file.
 * @param model its class and configuration
 * @param info what the file says besides
 * @throws Failure `unsupported` with the layer that wgrad does not have, `bad-file` if the model is damaged
 */
export function networkOf(
  file: string,
  model: JsonPlace,
  tensors: Tensors,
  budget: Budget,
  info: WeightsInfo,
): Imported {
  const { layers, outputs, images: stated } = modelAt(file, model, [IMAGES]);
  const images = imagesOf(file, stated);
  const network = new TfjsNetwork(file, images.shape, layers, tensors, budget, images.pixels);
  network.define({ name: IMAGES }, { kind: 'images' });
  const names = new Set<string>();
  for (const layer of layers) {
    if (names.has(layer.name)) throw network.bad(layer, 'there are two layers of this name');
    names.add(layer.name);
    const reader = READERS.get(layer.className);
    if (!reader) throw network.unsupported(layer, 'wgrad has no layer for it');
    network.define(layer, reader(network, layer));
  }
  const name = model.at('config').at('name').value;
  const title = typeof name === 'string' && name !== '' ? name.slice(0, 100) : file;
  return network.finish(outputs, title, info);
}

/** Models are layers of others: Sequential and Functional ones, nested as they like. */
export const MODELS: ReadonlySet<string> = new Set(['Sequential', 'Functional', 'Model']);

interface FileModel {
  layers: FileLayer[];
  outputs: readonly string[];
  /** What the model reads: [null, H, W, C], and the layer that states it. */
  images: { name: string; sizes: JsonPlace };
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
  let images: FileModel['images'] | undefined;
  let outputs = given;
  for (const place of list.items('layers', 1, MAX_LAYERS + 1)) {
    const layer = { ...layerAt(file, place), inputs: outputs };
    const inside = MODELS.has(layer.className) ? modelAt(file, place, outputs) : undefined;
    images ??= inside?.images ?? { name: layer.name, sizes: sizesOf(layer, config) };
    if (layer.className === 'InputLayer') continue;
    layers.push(...(inside?.layers ?? [layer]));
    outputs = inside?.outputs ?? [layer.name];
  }
  return { layers, outputs, images: images as FileModel['images'] };
}

/** What a layer reads, as it states it or, if it was not told, its model. */
function sizesOf({ config }: FileLayer, model: JsonPlace): JsonPlace {
  const stated = [config.at('batch_input_shape'), config.at('batch_shape')];
  return stated.find((place) => !place.isAbsent) ?? model.at('build_input_shape');
}

function functional(file: string, config: JsonPlace, given: readonly string[]): FileModel {
  const inputs = namesAt(config.at('input_layers'));
  if (inputs.length !== given.length)
    throw new Failure('unsupported', `${file}: expected one input, the images, found ${inputs.length}`);
  // What stands for the output of a layer: inputs, and models.
  const outputs = new Map(inputs.map((name, i) => [name, given[i]]));
  const named = (name: string) => outputs.get(name) ?? name;
  const layers: FileLayer[] = [];
  let images: FileModel['images'] | undefined;
  for (const place of config.at('layers').items('layers', 1, MAX_LAYERS + 1)) {
    const layer = { ...layerAt(file, place), inputs: inputsAt(file, place).map(named) };
    if (layer.name === inputs[0]) images = { name: layer.name, sizes: sizesOf(layer, config) };
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
  if (!images)
    throw new Failure('bad-file', `${file}: there is no layer "${inputs[0].slice(0, 100)}", the input`);
  return { layers, outputs: namesAt(config.at('output_layers')).map(named), images };
}

function layerAt(file: string, place: JsonPlace): FileLayer {
  const className = place.at('class_name').text('the name of a layer’s class', undefined, 100);
  const config = place.at('config');
  const named = place.at('name').isAbsent ? config.at('name') : place.at('name');
  const name = named.text(`the name of a layer of ${file}`, undefined, 300);
  return { name, className, config: new KerasConfig(config), inputs: [] };
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
  if (call.value instanceof Map) return tensorsAt(file, call.at('args'));
  return call.items('inputs', 1, MAX_LAYERS).map((input) => {
    const [name] = input.items('parts of an input', 1, 4);
    return name.text('the name of a layer', undefined, 300);
  });
}

/** The layers whose outputs Keras 3 lists as arguments of a call, one by one or as a list. */
const tensorsAt = (file: string, args: JsonPlace): string[] =>
  args.items('inputs', 1, MAX_LAYERS).flatMap((arg) => {
    if (Array.isArray(arg.value)) return tensorsAt(file, arg);
    const place = arg.at('config').at('keras_history');
    if (place.isAbsent)
      throw new Failure(
        'unsupported',
        `${file}: ${arg.path}: expected the output of a layer, found a constant`,
      );
    const history = place.items('parts of an input', 3, 3);
    return [history[0].text('the name of a layer', undefined, 300)];
  });

/** The names in [["conv1", 0, 0]], or of one alone: ["conv1", 0, 0]. */
function namesAt(place: JsonPlace): string[] {
  const list = place.items('layers', 1, MAX_LAYERS);
  if (typeof list[0].value === 'string') return [list[0].text('the name of a layer', undefined, 300)];
  return list.map((one) => one.items('parts', 1, 4)[0].text('the name of a layer', undefined, 300));
}

/** The images' size, as the input states it: [null, H, W, C], or their pixels: [null, 784]. */
function imagesOf(
  file: string,
  { name, sizes: place }: FileModel['images'],
): { shape: readonly number[]; pixels: boolean } {
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
