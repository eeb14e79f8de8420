/** How each op is written as layers of Keras, images as [N, H, W, C]: https://js.tensorflow.org/api/latest/#Layers */
import { resolvePadding, type Padding } from '../../base/padding.ts';
import { elements, type Pair } from '../../base/shape.ts';
import {
  numberOf,
  paddingOf,
  pairOf,
  softplusThreshold,
  unsupported as unsupportedIn,
  type SourceLayer,
} from '../../models/code/source.ts';
import type { LayersGraph } from './graph.ts';

/** What writing a layer needs. */
export interface TfjsWriting {
  graph: LayersGraph;
  layer: SourceLayer;
  /** The names of the layers that it reads. */
  inputs: readonly string[];
  /** Whether its first input is at least 0 everywhere. */
  nonNegative: boolean;
}

/** Adds layers. @returns the name of the last one */
type Writer = (writing: TfjsWriting) => string;

const unsupported = (layer: SourceLayer, what: string) => unsupportedIn(layer, 'TensorFlow.js', what);

/** An op that is one layer. */
const one =
  (className: string, configOf: (layer: SourceLayer) => object = () => ({})): Writer =>
  ({ graph, layer, inputs }) =>
    graph.add(className, layer.name, inputs, configOf(layer));

const activation = (name: string): Writer => one('Activation', () => ({ activation: name }));

const rescaled = ({ graph, layer }: TfjsWriting, of: string, scale: number, what: string): string =>
  graph.add('Rescaling', `${layer.name}_${what}`, [of], { scale, offset: 0 });

/** Where the padding is that which TensorFlow calls "same". */
function isSame(layer: SourceLayer, window: Pair, stride: Pair, dilation: Pair): boolean {
  const [vertical, horizontal] = ([0, 1] as const).map((axis) => ({
    size: layer.inputs[0][1 + axis],
    filter: window[axis],
    stride: stride[axis],
    dilation: dilation[axis],
  }));
  const same: Padding = resolvePadding('same', vertical, horizontal);
  const { top, bottom, left, right } = paddingOf(layer);
  return same.top === top && same.bottom === bottom && same.left === left && same.right === right;
}

const isPadded = (layer: SourceLayer): boolean => {
  const { top, bottom, left, right } = paddingOf(layer);
  return top + bottom + left + right > 0;
};

function zeroPadded({ graph, layer, inputs }: TfjsWriting): string {
  const { top, bottom, left, right } = paddingOf(layer);
  const padding = [
    [top, bottom],
    [left, right],
  ];
  return graph.add('ZeroPadding2D', `${layer.name}_pad`, inputs, { padding, data_format: 'channels_last' });
}

const conv: Writer = (writing) => {
  const { graph, layer, inputs } = writing;
  const [C] = layer.inputs[0];
  const [K] = layer.output;
  const window = pairOf(layer, 'kernelSize', [1, 1]);
  const stride = pairOf(layer, 'stride', [1, 1]);
  const dilation = pairOf(layer, 'dilation', [1, 1]);
  const groups = numberOf(layer, 'groups', 1);
  const bias = layer.attributes['bias'] !== false;
  const depthwise = groups > 1 && groups === C;
  if (groups > 1 && !depthwise)
    throw unsupported(layer, `its convolutions have either one group or one per channel; found ${groups}`);
  if (depthwise && dilation.some((size) => size > 1))
    throw unsupported(layer, 'its depthwise convolutions have no dilation');
  if (dilation.some((size) => size > 1) && stride.some((size) => size > 1))
    throw unsupported(layer, 'its convolutions have either a stride or a dilation, not both');
  const same = isPadded(layer) && isSame(layer, window, stride, dilation);
  const from = isPadded(layer) && !same ? [zeroPadded(writing)] : inputs;
  const common = {
    kernel_size: window,
    strides: stride,
    padding: same ? 'same' : 'valid',
    data_format: 'channels_last',
    dilation_rate: dilation,
    activation: 'linear',
    use_bias: bias,
  };
  const weight = `${layer.name}.weight`;
  const name = depthwise
    ? graph.add('DepthwiseConv2D', layer.name, from, { ...common, depth_multiplier: K / C })
    : graph.add('Conv2D', layer.name, from, { filters: K, ...common });
  // Filter c * multiplier + m reads channel c, as in PyTorch.
  if (depthwise) graph.weight(name, 'depthwise_kernel', [weight, [C, K / C, ...window], [2, 3, 0, 1]]);
  else graph.weight(name, 'kernel', [weight, [K, C, ...window], [2, 3, 1, 0]]);
  if (bias) graph.weight(name, 'bias', [`${layer.name}.bias`, [K], [0]]);
  return name;
};

const linear: Writer = ({ graph, layer, inputs }) => {
  const [units] = layer.output;
  const bias = layer.attributes['bias'] !== false;
  const name = graph.add('Dense', layer.name, inputs, { units, activation: 'linear', use_bias: bias });
  graph.weight(name, 'kernel', [`${layer.name}.weight`, [units, elements(layer.inputs[0])], [1, 0]]);
  if (bias) graph.weight(name, 'bias', [`${layer.name}.bias`, [units], [0]]);
  return name;
};

const batchNorm: Writer = ({ graph, layer, inputs }) => {
  const [C] = layer.output;
  const name = graph.add('BatchNormalization', layer.name, inputs, {
    axis: -1,
    // The share that stays; PyTorch's is the share that a batch adds.
    momentum: Number((1 - numberOf(layer, 'momentum', 0.1)).toPrecision(12)),
    epsilon: numberOf(layer, 'eps', 1e-5),
    center: true,
    scale: true,
  });
  const own = { gamma: 'weight', beta: 'bias', moving_mean: 'running_mean', moving_variance: 'running_var' };
  for (const [weight, parameter] of Object.entries(own))
    graph.weight(name, weight, [`${layer.name}.${parameter}`, [C], [0]]);
  return name;
};

const pooling = (
  kind: 'Max' | 'Average',
  window: readonly number[],
  stride: readonly number[],
  same = false,
) =>
  [
    `${kind}Pooling2D`,
    { pool_size: window, strides: stride, padding: same ? 'same' : 'valid', data_format: 'channels_last' },
  ] as const;

const pool =
  (kind: 'Max' | 'Average'): Writer =>
  (writing) => {
    const { graph, layer, inputs, nonNegative } = writing;
    const window = pairOf(layer, 'kernelSize', [1, 1]);
    const stride = pairOf(layer, 'stride', window);
    const dilation = pairOf(layer, 'dilation', [1, 1]);
    if (dilation.some((size) => size > 1)) throw unsupported(layer, 'its pooling has no dilation');
    const add = (from: readonly string[], same: boolean) => {
      const [className, config] = pooling(kind, window, stride, same);
      return graph.add(className, layer.name, from, config);
    };
    if (!isPadded(layer)) return add(inputs, false);
    // In TensorFlow, what "same" adds is left out of the mean.
    const counts = kind === 'Average' && layer.attributes['countIncludePad'] !== false;
    if (!counts && isSame(layer, window, stride, dilation)) return add(inputs, true);
    if (counts || (kind === 'Max' && nonNegative)) return add([zeroPadded(writing)], false);
    throw unsupported(
      layer,
      kind === 'Max'
        ? 'its padding adds zeros, which could become the maximum; expected padding "same", or a ReLU before it'
        : 'its padding would count in the mean; expected padding "same"',
    );
  };

/**
 * Adaptive pooling: one pooling if all windows have one size, else each window is cut out, pooled and joined, rows first.
 * Window i of n over `size` is [floor(i size / n), ceil((i + 1) size / n)), as in PyTorch.
 */
const adaptive =
  (kind: 'Max' | 'Average'): Writer =>
  ({ graph, layer, inputs: [input] }) => {
    const [, H, W] = layer.inputs[0];
    const [P, Q] = pairOf(layer, 'outputSize', [1, 1]);
    if (H % P === 0 && W % Q === 0) {
      const window = [H / P, W / Q];
      return graph.add(
        pooling(kind, window, window)[0],
        layer.name,
        [input],
        pooling(kind, window, window)[1],
      );
    }
    const rows = pooledAlong(1, P, H, input, `${layer.name}_rows`);
    return pooledAlong(2, Q, W, rows, layer.name);

    function pooledAlong(axis: 1 | 2, count: number, size: number, from: string, wanted: string): string {
      const windows = Array.from({ length: count }, (_, i) => {
        const [start, end] = [Math.floor((i * size) / count), Math.ceil(((i + 1) * size) / count)];
        const cut = [start, size - end];
        const window = axis === 1 ? [end - start, 1] : [1, end - start];
        const cropping = axis === 1 ? [cut, [0, 0]] : [[0, 0], cut];
        const config = { cropping, data_format: 'channels_last' };
        const cropped = graph.add('Cropping2D', `${layer.name}_window`, [from], config);
        const [className, own] = pooling(kind, window, window);
        return graph.add(className, `${layer.name}_pooled`, [cropped], own);
      });
      return count === 1 ? windows[0] : graph.add('Concatenate', wanted, windows, { axis });
    }
  };

/** A layer of several inputs. TensorFlow.js counts an input as often as it is named, and frees it before others have read it. */
const joined =
  (className: string, config: object = {}): Writer =>
  (writing) => {
    const { graph, layer, inputs } = writing;
    const apart = inputs.map((input, i) =>
      inputs.indexOf(input) === i ? input : rescaled(writing, input, 1, 'copy'),
    );
    return graph.add(className, layer.name, apart, config);
  };

/** By the op's name in models. */
export const WRITERS: Readonly<Record<string, Writer>> = {
  conv,
  linear,
  batch_norm: batchNorm,
  relu: one('ReLU'),
  sigmoid: activation('sigmoid'),
  tanh: activation('tanh'),
  silu: activation('swish'),
  leaky_relu: one('LeakyReLU', (layer) => ({ alpha: numberOf(layer, 'negativeSlope', 0.01) })),
  elu: (writing) => {
    const { graph, layer, inputs } = writing;
    const alpha = numberOf(layer, 'alpha', 1);
    if (alpha === 1) return graph.add('ELU', layer.name, inputs, { alpha: 1 });
    // alpha ELU(x) + (1 - alpha) ReLU(x)
    const elu = graph.add('ELU', `${layer.name}_elu`, inputs, { alpha: 1 });
    const relu = graph.add('ReLU', `${layer.name}_relu`, inputs);
    const parts = [rescaled(writing, elu, alpha, 'below'), rescaled(writing, relu, 1 - alpha, 'above')];
    return graph.add('Add', layer.name, parts);
  },
  gelu: (writing) => {
    const { graph, layer, inputs } = writing;
    if (layer.attributes['approximate'] !== 'tanh') return activation('gelu')(writing);
    // x sigmoid(2 sqrt(2 / pi) (x + 0.044715 x^3)), which is the same as with tanh.
    const [x] = inputs;
    const square = graph.add('Multiply', `${layer.name}_square`, [x, rescaled(writing, x, 0.044715, 'part')]);
    const cube = graph.add('Multiply', `${layer.name}_cube`, [square, x]);
    const sum = graph.add('Add', `${layer.name}_sum`, [x, cube]);
    const scaled = rescaled(writing, sum, 2 * Math.sqrt(2 / Math.PI), 'scaled');
    const gate = graph.add('Activation', `${layer.name}_gate`, [scaled], { activation: 'sigmoid' });
    return graph.add('Multiply', layer.name, [x, gate]);
  },
  softplus: (writing) => {
    const threshold = softplusThreshold(writing.layer);
    if (threshold !== undefined)
      throw unsupported(
        writing.layer,
        `its softplus has no threshold; expected at least 15, found ${threshold}`,
      );
    const beta = numberOf(writing.layer, 'beta', 1);
    if (beta === 1) return activation('softplus')(writing);
    const { graph, layer, inputs } = writing;
    const scaled = rescaled(writing, inputs[0], beta, 'scaled');
    const soft = graph.add('Activation', `${layer.name}_softplus`, [scaled], { activation: 'softplus' });
    return graph.add('Rescaling', layer.name, [soft], { scale: 1 / beta, offset: 0 });
  },
  scale: one('Rescaling', (layer) => ({ scale: numberOf(layer, 'factor', 1), offset: 0 })),
  dropout: one('Dropout', (layer) => ({ rate: numberOf(layer, 'p', 0.5) })),
  maxout: ({ graph, layer, inputs }) => {
    const [channels, ...plane] = layer.output;
    const pieces = numberOf(layer, 'pieces', 1);
    // Channels that compete lie side by side: each set of them becomes the row of an image.
    const rows = { target_shape: [elements(plane) * channels, pieces, 1] };
    const apart = graph.add('Reshape', `${layer.name}_pieces`, inputs, rows);
    const [className, config] = pooling('Max', [1, pieces], [1, pieces]);
    const largest = graph.add(className, `${layer.name}_largest`, [apart], config);
    return graph.add('Reshape', layer.name, [largest], { target_shape: [...plane, channels] });
  },
  max_pool: pool('Max'),
  avg_pool: pool('Average'),
  adaptive_max_pool: adaptive('Max'),
  adaptive_avg_pool: adaptive('Average'),
  add: joined('Add'),
  concat: joined('Concatenate', { axis: -1 }),
  flatten: ({ graph, layer, inputs }) => {
    const [shape] = layer.inputs;
    // PyTorch's order of values: channels first.
    const apart = shape.length === 3 && shape[0] > 1 && elements(shape.slice(1)) > 1;
    const from = apart
      ? [graph.add('Permute', `${layer.name}_channels_first`, inputs, { dims: [3, 1, 2] })]
      : inputs;
    return graph.add('Flatten', layer.name, from, { data_format: 'channels_last' });
  },
};

/** Ops whose outputs are at least 0, or are if their inputs are. */
export const NON_NEGATIVE = new Set(['relu', 'sigmoid', 'softplus']);
export const KEEPS_SIGN = new Set([
  'dropout',
  'max_pool',
  'avg_pool',
  'adaptive_max_pool',
  'adaptive_avg_pool',
  'maxout',
  'add',
  'concat',
  'flatten',
]);

/** For each layer, whether its outputs are at least 0 everywhere. */
export function nonNegatives(layers: readonly SourceLayer[]): boolean[] {
  const known: boolean[] = [];
  for (const { op, sources } of layers)
    known.push(
      NON_NEGATIVE.has(op) || (KEEPS_SIGN.has(op) && sources.every((source) => source >= 0 && known[source])),
    );
  return known;
}
