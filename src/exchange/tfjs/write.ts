/** A trained network as a layers model of TensorFlow.js: model.json and its weights. */
import { elements, type Shape } from '../../base/shape.ts';
import { sourceLayers } from '../../models/code/source.ts';
import { requireFit, weightsMetadata, type Trained, type WeightsInfo } from '../../models/file/weights.ts';
import type { Model } from '../../models/model.ts';
import { nonNegativeInputs } from '../../ops/non-negative.ts';
import { FORMATS } from '../../ops/writers.ts';
import type { ExportContext, Files } from '../exporters.ts';
import { transposed } from '../../base/transposed.ts';
import { LayersGraph, type KerasWeight } from './graph.ts';

/** Browsers cache files of this size. */
const SHARD_BYTES = 4 << 20;
/** The layer that normalises pixels. */
export const NORMALISE = 'normalise';

/**
 * `model.json` and its shards, for `tf.loadLayersModel`: images [batch, H, W, C] to logits [batch, classes]. Where the
 * normalisation is known, it is the first layer unless `normalise` is false, and the input is pixels in [0, 1].
 * @throws Failure `bad-file` if the weights do not fit the model, `unsupported` with the layer that it has none for
 */
export function toTfjs(trained: Trained, { normalise = true }: Pick<ExportContext, 'normalise'> = {}): Files {
  const { model, parameters, info } = trained;
  requireFit('the weights', model, parameters);
  const { topology, weights } = layersModelOf(model, normalise ? info.normalisation : undefined);
  const data = bytesOf(weights, (name) => parameters.get(name)?.data ?? new Float32Array());
  const count = Math.max(1, Math.ceil(data.length / SHARD_BYTES));
  const paths = Array.from({ length: count }, (_, i) => `group1-shard${i + 1}of${count}.bin`);
  const json = {
    format: 'layers-model',
    generatedBy: 'wgrad',
    convertedBy: null,
    modelTopology: topology,
    weightsManifest: [{ paths, weights: manifestOf(weights) }],
    userDefinedMetadata: Object.fromEntries(weightsMetadata({ ...info, model })),
  };
  return new Map([
    ['model.json', new TextEncoder().encode(JSON.stringify(json))],
    ...paths.map((path, i) => [path, data.slice(i * SHARD_BYTES, (i + 1) * SHARD_BYTES)] as const),
  ]);
}

/**
 * The layers, and which weights they have.
 * @param most layers that it may have; an op may need one for each row of its output
 * @throws Failure as `toTfjs`
 */
export function layersModelOf(model: Model, normalisation: WeightsInfo['normalisation'], most = Infinity) {
  const graph = new LayersGraph(most);
  const input = graph.input('images', model.input);
  const images = normalisation ? normalised(graph, input, normalisation) : input;
  const layers = sourceLayers(model);
  const nonNegative = nonNegativeInputs(layers);
  const outputs: string[] = [];
  for (const [i, layer] of layers.entries()) {
    outputs.push(
      FORMATS.get(layer.op).tfjs.write({
        graph,
        layer,
        inputs: layer.sources.map((source) => (source < 0 ? images : outputs[source])),
        nonNegative: nonNegative[i],
      }),
    );
  }
  const { weights } = graph;
  return { topology: graph.topology(model.name, input, outputs[outputs.length - 1]), weights };
}

/** What the file says of its weights, in the order of their bytes. */
export const manifestOf = (
  weights: readonly KerasWeight[],
): { name: string; shape: Shape; dtype: string }[] =>
  weights.map(({ name, shape }) => ({ name, shape, dtype: 'float32' }));

/** (x - mean) / std, as batch normalisation that does not learn. */
function normalised(
  graph: LayersGraph,
  input: string,
  { mean, std }: NonNullable<WeightsInfo['normalisation']>,
): string {
  const config = { trainable: false, axis: -1, epsilon: 0, center: false, scale: false };
  const name = graph.add('BatchNormalization', NORMALISE, [input], config);
  graph.constant(name, 'moving_mean', mean);
  graph.constant(
    name,
    'moving_variance',
    std.map((one) => one ** 2),
  );
  return name;
}

/** @param parameter the values of a parameter */
function bytesOf(
  weights: readonly KerasWeight[],
  parameter: (name: string) => Float32Array,
): Uint8Array<ArrayBuffer> {
  const data = new Float32Array(weights.reduce((sum, { shape }) => sum + elements(shape), 0));
  let at = 0;
  for (const { shape, values } of weights) {
    const own =
      values instanceof Float32Array
        ? values
        : transposed(parameter(values.parameter), values.view, values.order);
    data.set(own, at);
    at += elements(shape);
  }
  return new Uint8Array(data.buffer);
}
