/** How layers are written as layers of Keras, and read from them, images as [N, H, W, C]: https://js.tensorflow.org/api/latest/#Layers */
import type { Shape } from '../base/shape.ts';
import type { KerasConfig, KerasReader } from './keras.ts';
import { numberOf, unsupported, type SourceLayer } from './layer.ts';

/** How a parameter lies in a weight of its layer. */
export type Placed = readonly [parameter: string, view: Shape, order: readonly number[]];

/** The layers model in the making. */
export interface KerasGraph {
  /** @returns its name */
  add(className: string, wanted: string, inputs: readonly string[], config?: object): string;
  /** A layer's weight that holds a parameter. */
  weight(layer: string, own: string, placed: Placed): void;
}

/** What writing a layer needs. */
export interface TfjsWriting {
  graph: KerasGraph;
  layer: SourceLayer;
  /** The names of the layers that it reads. */
  inputs: readonly string[];
  /** Whether its first input is at least 0 everywhere. */
  nonNegative: boolean;
}

/** Adds layers. @returns the name of the last one */
export type TfjsWriter = (writing: TfjsWriting) => string;

export interface Tfjs {
  write: TfjsWriter;
  /** Its outputs are at least 0: always, or if its inputs are. Default: never. */
  nonNegative?: 'always' | 'keeps';
  /** Keras's names of such an activation, each with the op's attributes. */
  activations?: Readonly<Record<string, object>>;
  /** Keras's classes of such a layer, if it changes each value by itself; each gives the op's attributes. */
  classes?: Readonly<Record<string, (config: KerasConfig) => Readonly<Record<string, unknown>>>>;
  /** How other classes of Keras are read, by their names. */
  read?: Readonly<Record<string, KerasReader>>;
  /** Their weights in the order in which Keras saves them. Default: kernel, bias. */
  variables?: Readonly<Record<string, (config: KerasConfig) => readonly string[]>>;
}

export const notInTfjs = (layer: SourceLayer, what: string) => unsupported(layer, 'TensorFlow.js', what);

/** An op that is one layer. */
export const kerasClass =
  (className: string, configOf: (layer: SourceLayer) => object = () => ({})): TfjsWriter =>
  ({ graph, layer, inputs }) =>
    graph.add(className, layer.name, inputs, configOf(layer));

/** A layer of one attribute. */
export const withNumber = (className: string, config: string, attribute: string): TfjsWriter =>
  kerasClass(className, (layer) => ({ [config]: numberOf(layer, attribute) }));

export const activationLayer = (name: string): TfjsWriter =>
  kerasClass('Activation', () => ({ activation: name }));

/** An activation that Keras has under this name. */
export const activationNamed = (name: string, ...others: readonly string[]): Tfjs => ({
  write: activationLayer(name),
  activations: Object.fromEntries([name, ...others].map((one) => [one, {}])),
});

export const rescaled = ({ graph, layer }: TfjsWriting, of: string, scale: number, what: string): string =>
  graph.add('Rescaling', `${layer.name}_${what}`, [of], { scale, offset: 0 });

export const pooling = (
  kind: 'Max' | 'Average',
  window: readonly number[],
  stride: readonly number[],
  same = false,
) =>
  [
    `${kind}Pooling2D`,
    { pool_size: window, strides: stride, padding: same ? 'same' : 'valid', data_format: 'channels_last' },
  ] as const;

/** A layer of several inputs. TensorFlow.js counts an input as often as it is named, and frees it before others have read it. */
export const joined =
  (className: string, config: object = {}): TfjsWriter =>
  (writing) => {
    const { graph, layer, inputs } = writing;
    const apart = inputs.map((input, i) =>
      inputs.indexOf(input) === i ? input : rescaled(writing, input, 1, 'copy'),
    );
    return graph.add(className, layer.name, apart, config);
  };

/** Reads such a layer. */
export const joining =
  (op: string): KerasReader =>
  (network, layer) =>
    network.add(
      layer,
      op,
      layer.inputs.map((_, i) => network.source(layer, i)),
    );
