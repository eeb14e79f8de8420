/** How layers are read from models of Keras and TensorFlow.js: https://keras.io/api/layers/ */
import type { JsonPlace } from '../base/json-place.ts';
import type { Padding } from '../base/padding.ts';
import type { Failure } from '../base/result.ts';
import type { Shape } from '../base/shape.ts';
import { transposed } from '../base/transposed.ts';

/** The largest window, stride or padding. */
export const MAX_WINDOW = 2 ** 20;

/** A layer's settings. Those that are absent or null have Keras's default. */
export class KerasConfig {
  constructor(private readonly place: JsonPlace) {}

  at = (name: string): JsonPlace => this.place.at(name);

  has(name: string): boolean {
    const { value } = this.at(name);
    return value !== undefined && value !== null;
  }

  flag = (name: string, usual: boolean): boolean => (this.has(name) ? this.at(name).flag() : usual);

  /** @param names of which the file has one */
  number(names: string | readonly string[], usual: number): number {
    const name = [names].flat().find((one) => this.has(one));
    return name === undefined ? usual : this.at(name).number(-1e30, 1e30);
  }

  pair = (name: string, usual: readonly [number, number]): [number, number] =>
    this.has(name) ? this.at(name).pair(1, MAX_WINDOW) : [...usual];

  word = (name: string, usual: string): string =>
    this.has(name) ? this.at(name).text('a word', undefined, 100) : usual;
}

/** A layer as the file has it. */
export interface FileLayer {
  name: string;
  className: string;
  config: KerasConfig;
  /** The names of the layers that it reads. */
  inputs: readonly string[];
}

export interface KerasTensor {
  shape: Shape;
  data: Float32Array<ArrayBuffer>;
}

/** What comes out of a layer of the file. Some are parts of a layer here; they wait for the rest. */
export type KerasValue =
  | { kind: 'images' }
  /** (image - mean) / std, by channel. */
  | { kind: 'normalised'; mean: readonly number[]; std: readonly number[] }
  /** `heldAs`: a vector whose values are in the order H, W, C of this shape [C, H, W]; here they are in the order C, H, W. */
  | { kind: 'layer'; layer: string; heldAs?: Shape }
  | { kind: 'padded'; of: string; padding: Padding }
  /** Axes in the order C, H, W, for a Flatten to follow. */
  | { kind: 'channels first'; of: string }
  /** One value a channel as a vector, of a pooling that leaves [C, 1, 1]. */
  | { kind: 'pooled'; of: string };

type Attributes = Readonly<Record<string, unknown>>;
type Weights = Readonly<Record<string, KerasTensor | undefined>>;

/** The network that grows while the layers of a model are read. */
export interface KerasReading {
  /** Adds a layer, and the activation that the file's layer has besides. @param weights by the names that the op gives them */
  add(
    layer: FileLayer,
    op: string,
    inputs: readonly string[],
    attributes?: Attributes,
    weights?: Weights,
  ): KerasValue;
  /** Adds a layer, without that. @returns its name */
  addLayer(
    wanted: string,
    op: string,
    inputs: readonly string[],
    attributes?: Attributes,
    weights?: Weights,
  ): string;
  /** [C, H, W] or [C] of a layer's output. */
  shapeOf(layer: string): Shape;
  /** Whether a layer's outputs are at least 0. */
  isNonNegative(layer: string): boolean;
  /** @throws Failure if it comes from nowhere */
  input(layer: FileLayer, i?: number): KerasValue;
  /** The layer here whose output an input is. @throws Failure if it is something else */
  source(layer: FileLayer, i?: number): string;
  /** The same, also of a vector whose values are in TensorFlow's order. */
  vector(layer: FileLayer, i?: number): { of: string; heldAs?: Shape };
  /**
   * A weight of a layer.
   * @param own "kernel", or names of which the file has one
   * @throws Failure `bad-file` if the file has none, or one of another rank
   */
  weight(layer: FileLayer, own: string | readonly string[], rank: number): KerasTensor;
  /** [C, H, W] */
  images: Shape;
  /** Whether a value is images that the file has as a vector or as rows. */
  arePixels(value: KerasValue): boolean;
  /** The images, as they enter the network by this layer. */
  imageSource(layer: FileLayer, value: KerasValue): string;
  unsupported(layer: FileLayer, why: string): Failure;
  bad(layer: FileLayer, why: string): Failure;
}

export type KerasReader = (network: KerasReading, layer: FileLayer) => KerasValue;

/** A tensor with its axes in another order, and as another shape. */
export const turned = ({ shape, data }: KerasTensor, order: readonly number[], as?: Shape): KerasTensor => ({
  shape: as ?? order.map((axis) => shape[axis]),
  data: transposed(data, shape, order),
});

/** The images must have their channels last, as everywhere in TensorFlow.js. */
export function requireChannelsLast(network: KerasReading, layer: FileLayer): void {
  const format = layer.config.word('data_format', 'channels_last');
  if (format !== 'channels_last' && format !== 'channelsLast')
    throw network.unsupported(layer, `expected data_format channels_last, found ${format}`);
}

/** The setting `axis` must be the channels. @param last the number of the last axis */
export function requireLastAxis(network: KerasReading, layer: FileLayer, last: number): void {
  const [axis] = [layer.config.at('axis').value].flat();
  if (axis !== undefined && axis !== null && axis !== -1 && axis !== last)
    throw network.unsupported(layer, `expected axis -1, the channels, found ${JSON.stringify(axis)}`);
}

/** A layer without weights that treats every value alike. */
export const elementwise =
  (op: string, attributesOf: (config: KerasConfig) => Attributes = () => ({})): KerasReader =>
  (network, layer) => {
    const { of, heldAs } = network.vector(layer);
    const own = network.addLayer(layer.name, op, [of], attributesOf(layer.config));
    return { kind: 'layer', layer: own, ...(heldAs ? { heldAs } : {}) };
  };

const NO_PADDING: Padding = { top: 0, bottom: 0, left: 0, right: 0 };

/**
 * The input of a convolution or pooling, and what it is padded with.
 * @param takes whether it can take the zeros around this layer itself
 */
export function paddedInput(
  network: KerasReading,
  layer: FileLayer,
  takes: (source: string, padding: Padding) => boolean = () => true,
): { source: string; padding: Padding | 'same' } {
  requireChannelsLast(network, layer);
  const value = network.input(layer);
  const place = layer.config.at('padding');
  const same = !place.isAbsent && place.choice(['valid', 'same']) === 'same';
  if (value.kind === 'padded' && !same && takes(value.of, value.padding))
    return { source: value.of, padding: value.padding };
  return { source: network.source(layer), padding: same ? 'same' : NO_PADDING };
}

/** The bias of a convolution or matrix product; undefined if it has none. */
export const biasOf = (network: KerasReading, layer: FileLayer): KerasTensor | undefined =>
  layer.config.flag('use_bias', true) ? network.weight(layer, 'bias', 1) : undefined;

/** The weight and the bias of a normalisation, 1 and 0 where it has none. */
export function affineOf(network: KerasReading, layer: FileLayer, channels: number) {
  const own = (has: string, name: string, usual: number) =>
    layer.config.flag(has, true)
      ? network.weight(layer, name, 1)
      : { shape: [channels], data: new Float32Array(channels).fill(usual) };
  return { weight: own('scale', 'gamma', 1), bias: own('center', 'beta', 0) };
}

/** Which of these a normalisation has, in the order in which Keras saves them. */
export const affineVariables = (config: KerasConfig): string[] => [
  ...(config.flag('scale', true) ? ['gamma'] : []),
  ...(config.flag('center', true) ? ['beta'] : []),
];
