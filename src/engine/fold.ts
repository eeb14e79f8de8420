/**
 * Folding: in evaluation, batch normalisation scales and shifts each channel, which the weights and bias of the layer
 * before it can do as well. A folded network computes the same with fewer layers and values.
 */
import { assert } from '../base/assert.ts';
import type { Shape } from '../base/shape.ts';
import { IMAGES, INPUT, type Layer } from './graph.ts';
import { inferShapes, onlyTaker, type LayerShape } from './network.ts';
import type { BatchNormAttributes } from './ops/batch_norm/index.ts';
import type { StateDict } from './parameters.ts';

/** A network for inference only. */
export interface Folded {
  layers: Layer[];
  parameters: StateDict;
  /** Names of the layers that were folded into others. */
  folded: string[];
}

/** Ops whose weight has one row per output channel. */
const FOLDS_INTO: readonly string[] = ['conv', 'linear'];

/**
 * Folds every batch normalisation into the convolution or linear layer before it, if no other layer reads that layer's
 * output: w' = w weight / sqrt(running_var + eps), and so on for the bias, in float64. Others stay as they are.
 * @param input [N, C, H, W], any N
 * @param parameters and buffers of `layers`, by state_dict names; not changed
 */
export function foldBatchNorm(layers: readonly Layer[], input: Shape, parameters: StateDict): Folded {
  const shapes = inferShapes(layers, input);
  /** Maps the index of a layer to that of the batch normalisation folded into it, and the reverse. */
  const taken = new Map<number, number>();
  const into = new Map<number, number>();
  shapes.forEach(({ op, sources: [source] }, i) => {
    const fits = op.name === 'batch_norm' && source !== IMAGES && FOLDS_INTO.includes(shapes[source].op.name);
    if (!fits || onlyTaker(shapes, source) !== i) return;
    taken.set(source, i);
    into.set(i, source);
  });
  const numbers = new Map(parameters);
  for (const [source, i] of taken) fold(numbers, shapes[source], shapes[i]);
  const nameOf = (source: number): string =>
    source === IMAGES ? INPUT : layers[into.get(source) ?? source].name;
  const kept: Layer[] = [];
  shapes.forEach(({ layer, sources }, i) => {
    if (into.has(i)) return;
    const inputs = sources.map(nameOf);
    const before = kept.at(-1)?.name ?? INPUT;
    const { inputs: _, ...rest } = layer;
    kept.push({
      ...rest,
      ...(inputs.length === 1 && inputs[0] === before ? {} : { inputs }),
      ...(taken.has(i) ? { attributes: { ...layer.attributes, bias: true } } : {}),
    });
  });
  return { layers: kept, parameters: numbers, folded: [...into.keys()].map((i) => layers[i].name) };
}

/** Puts the folded weight and bias of `layer` into `numbers`, and removes what is no longer needed. */
function fold(
  numbers: Map<string, { shape: Shape; data: Float32Array }>,
  { layer: { name } }: LayerShape,
  { layer: norm, attributes, parameters, buffers }: LayerShape,
): void {
  const part = (own: string) => {
    const found = numbers.get(`${norm.name}.${own}`)?.data;
    assert(found !== undefined, `${norm.name} has no ${own}`);
    return found;
  };
  const { eps } = attributes as BatchNormAttributes;
  const weight = numbers.get(`${name}.weight`);
  assert(weight !== undefined, `${name} has no weight`);
  const bias = numbers.get(`${name}.bias`)?.data;
  const [gain, shift, mean, variance] = ['weight', 'bias', 'running_mean', 'running_var'].map(part);
  const scale = Float64Array.from(gain, (g, k) => g / Math.sqrt(variance[k] + eps));
  const row = weight.data.length / scale.length;
  numbers.set(`${name}.weight`, {
    shape: weight.shape,
    data: weight.data.map((w, i) => w * scale[Math.floor(i / row)]),
  });
  numbers.set(`${name}.bias`, {
    shape: [scale.length],
    data: Float32Array.from(scale, (s, k) => ((bias?.[k] ?? 0) - mean[k]) * s + shift[k]),
  });
  for (const { name: own } of [...parameters, ...buffers]) numbers.delete(`${norm.name}.${own}`);
}
