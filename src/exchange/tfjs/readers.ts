/** How each layer of Keras is read: https://keras.io/api/layers/ */
import { paddingPair, type Padding } from '../../base/padding.ts';
import { elements, type Shape } from '../../base/shape.ts';
import type { JsonPlace } from '../../base/json-place.ts';
import { isWithinHalf } from '../../ops/windows.ts';
import { FORMATS } from '../../ops/writers.ts';
import { IMAGES } from '../draft.ts';
import { transposed } from '../../base/transposed.ts';
import { isNonNegative } from '../../ops/non-negative.ts';
import type { FileLayer, TfjsNetwork, TfjsValue } from './network.ts';
import type { KerasTensor } from './tensors.ts';

type Reader = (network: TfjsNetwork, layer: FileLayer) => TfjsValue;

/** The largest window, stride or padding. */
const MOST = 2 ** 20;

// Settings, with Keras's defaults.
const isGiven = (place: JsonPlace): boolean => !place.isAbsent && place.value !== null;
const flagOf = ({ config }: FileLayer, name: string, usual: boolean): boolean =>
  isGiven(config.at(name)) ? config.at(name).flag() : usual;
const numberOf = ({ config }: FileLayer, names: readonly string[], usual: number): number => {
  const name = names.find((one) => isGiven(config.at(one)));
  return name === undefined ? usual : config.at(name).number(-1e30, 1e30);
};
const pairOf = ({ config }: FileLayer, name: string, usual: readonly [number, number]): [number, number] =>
  isGiven(config.at(name)) ? config.at(name).pair(1, MOST) : [...usual];
const wordOf = ({ config }: FileLayer, name: string, usual: string): string =>
  isGiven(config.at(name)) ? config.at(name).text('a word', undefined, 100) : usual;

/** A tensor with its axes in another order, and as another shape. */
const turned = ({ shape, data }: KerasTensor, order: readonly number[], as?: Shape) => ({
  shape: as ?? order.map((axis) => shape[axis]),
  data: transposed(data, shape, order),
});

/** The images must have their channels last, as everywhere in TensorFlow.js. */
function requireChannelsLast(network: TfjsNetwork, layer: FileLayer): void {
  const format = wordOf(layer, 'data_format', 'channels_last');
  if (format !== 'channels_last' && format !== 'channelsLast')
    throw network.unsupported(layer, `expected data_format channels_last, found ${format}`);
}

/** The output of a new layer, then of the activation that the file's layer has besides. */
function added(
  network: TfjsNetwork,
  layer: FileLayer,
  op: string,
  inputs: readonly string[],
  attributes: Readonly<Record<string, unknown>> = {},
  weights: Readonly<Record<string, KerasTensor | undefined>> = {},
): TfjsValue {
  const value = {
    kind: 'layer',
    layer: network.draft.add(layer.name, op, inputs, attributes, weights),
  } as const;
  return activated(network, layer, value);
}

/** Activations by Keras's names: an op and its attributes. */
const ACTIVATIONS = new Map(
  FORMATS.all().flatMap(({ op, tfjs }) =>
    Object.entries(tfjs.activations ?? {}).map(([name, attributes]) => [name, { op, attributes }] as const),
  ),
);

/** The setting `activation`, of layers that have one besides what they do. */
function activated(network: TfjsNetwork, layer: FileLayer, value: TfjsValue & { kind: 'layer' }): TfjsValue {
  const name = wordOf(layer, 'activation', 'linear');
  if (name === 'linear') return value;
  if (name === 'softmax') return softmaxOf(network, layer, value);
  const found = ACTIVATIONS.get(name);
  if (!found) throw network.unsupported(layer, `wgrad has no activation ${name.slice(0, 40)}`);
  const { op, attributes } = found;
  const own = network.draft.add(`${layer.name}_${op}`, op, [value.layer], { ...attributes });
  return { ...value, layer: own };
}

function softmaxOf(network: TfjsNetwork, layer: FileLayer, value: TfjsValue): TfjsValue {
  if (network.isTaken(layer)) throw network.unsupported(layer, 'wgrad supports softmax only at the end');
  network.note('The softmax at the end was left out: networks here end with logits.');
  return value;
}

/** A layer without weights that treats every value alike. */
const elementwise =
  (op: string, attributesOf: (layer: FileLayer) => Readonly<Record<string, unknown>> = () => ({})): Reader =>
  (network, layer) => {
    const { of, heldAs } = network.vector(layer);
    const own = network.draft.add(layer.name, op, [of], attributesOf(layer));
    return { kind: 'layer', layer: own, ...(heldAs ? { heldAs } : {}) };
  };

const NO_PADDING: Padding = { top: 0, bottom: 0, left: 0, right: 0 };

/**
 * The input of a convolution or pooling, and what it is padded with.
 * @param takes whether it can take the zeros around this layer itself
 */
function padded(
  network: TfjsNetwork,
  layer: FileLayer,
  takes: (source: string, padding: Padding) => boolean = () => true,
): { source: string; padding: Padding | 'same' } {
  const value = network.input(layer);
  const same = layer.config.at('padding').isAbsent
    ? false
    : layer.config.at('padding').choice(['valid', 'same']) === 'same';
  if (value.kind === 'padded' && !same && takes(value.of, value.padding))
    return { source: value.of, padding: value.padding };
  return { source: network.source(layer), padding: same ? 'same' : NO_PADDING };
}

/** Padding as an attribute, in its shortest form. */
const paddingAttribute = (padding: Padding | 'same') =>
  padding === 'same' ? padding : (paddingPair(padding) ?? padding);

/** What convolutions share; of a depthwise one the kernel is [R, S, C, multiplier]. */
function windowsOf(network: TfjsNetwork, layer: FileLayer) {
  requireChannelsLast(network, layer);
  const { source, padding } = padded(network, layer);
  const stride = pairOf(layer, 'strides', [1, 1]);
  const dilation = pairOf(layer, 'dilation_rate', [1, 1]);
  return { source, attributes: { stride, padding: paddingAttribute(padding), dilation } };
}

const biasOf = (network: TfjsNetwork, layer: FileLayer): KerasTensor | undefined =>
  flagOf(layer, 'use_bias', true) ? network.weight(layer, 'bias', 1) : undefined;

const conv2d: Reader = (network, layer) => {
  const kernel = network.weight(layer, 'kernel', 4);
  const [R, S, , K] = kernel.shape;
  const groups = numberOf(layer, ['groups'], 1);
  const bias = biasOf(network, layer);
  const { source, attributes } = windowsOf(network, layer);
  const own = { outChannels: K, kernelSize: [R, S], ...attributes, groups, bias: bias !== undefined };
  return added(network, layer, 'conv', [source], own, { weight: turned(kernel, [3, 2, 0, 1]), bias });
};

/** The attributes and the weight of a convolution with one group per channel. */
function depthwise(kernel: KerasTensor) {
  const [R, S, C, multiplier] = kernel.shape;
  const K = C * multiplier;
  return {
    own: { outChannels: K, kernelSize: [R, S], groups: C },
    weight: turned(kernel, [2, 3, 0, 1], [K, 1, R, S]),
  };
}

const depthwiseConv2d: Reader = (network, layer) => {
  // Keras 3 calls it as that of any convolution.
  const { own, weight } = depthwise(network.weight(layer, ['depthwise_kernel', 'kernel'], 4));
  const bias = biasOf(network, layer);
  const { source, attributes } = windowsOf(network, layer);
  const all = { ...own, ...attributes, bias: bias !== undefined };
  return added(network, layer, 'conv', [source], all, { weight, bias });
};

/** Two convolutions: one per channel, then one of 1 x 1. */
const separableConv2d: Reader = (network, layer) => {
  const { own, weight } = depthwise(network.weight(layer, 'depthwise_kernel', 4));
  const pointwise = network.weight(layer, 'pointwise_kernel', 4);
  const bias = biasOf(network, layer);
  const { source, attributes } = windowsOf(network, layer);
  const first = { ...own, ...attributes, bias: false };
  const between = network.draft.add(`${layer.name}_depthwise`, 'conv', [source], first, { weight });
  const second = { outChannels: pointwise.shape[3], kernelSize: [1, 1], bias: bias !== undefined };
  const weights = { weight: turned(pointwise, [3, 2, 0, 1]), bias };
  return added(network, layer, 'conv', [between], second, weights);
};

const dense: Reader = (network, layer) => {
  const kernel = network.weight(layer, 'kernel', 2);
  const [rows, units] = kernel.shape;
  const bias = biasOf(network, layer);
  const { of, heldAs } = network.vector(layer);
  const biased = { bias: bias !== undefined };
  if (network.draft.shapeOf(of).length > 1) {
    // Of each pixel's channels.
    const weight = turned(kernel, [1, 0], [units, rows, 1, 1]);
    const own = { outChannels: units, kernelSize: [1, 1], ...biased };
    return added(network, layer, 'conv', [of], own, { weight, bias });
  }
  const weight = heldAs ? channelsFirst(network, layer, kernel, heldAs) : turned(kernel, [1, 0]);
  return added(network, layer, 'linear', [of], { outFeatures: units, ...biased }, { weight, bias });
};

/** A kernel whose rows are in the order H, W, C, as a weight whose columns are in the order C, H, W. */
function channelsFirst(
  network: TfjsNetwork,
  layer: FileLayer,
  { shape, data }: KerasTensor,
  [C, H, W]: Shape,
) {
  const [rows, units] = shape;
  if (rows !== C * H * W)
    throw network.bad(layer, `expected a kernel of ${C * H * W} rows for its input, found ${rows}`);
  return { shape: [units, rows], data: transposed(data, [H, W, C, units], [3, 2, 0, 1]) };
}

/** The weight and the bias of a normalisation, 1 and 0 where it has none. */
function affineOf(network: TfjsNetwork, layer: FileLayer, channels: number) {
  const own = (has: string, name: string, usual: number) =>
    flagOf(layer, has, true)
      ? network.weight(layer, name, 1)
      : { shape: [channels], data: new Float32Array(channels).fill(usual) };
  return { weight: own('scale', 'gamma', 1), bias: own('center', 'beta', 0) };
}

/** @param last the number of the last axis */
function requireLastAxis(network: TfjsNetwork, layer: FileLayer, last: number): void {
  const [axis] = [layer.config.at('axis').value].flat();
  if (axis !== undefined && axis !== null && axis !== -1 && axis !== last)
    throw network.unsupported(layer, `expected axis -1, the channels, found ${JSON.stringify(axis)}`);
}

/** With one group a channel it is instance normalisation. */
const groupNorm: Reader = (network, layer) => {
  const of = network.source(layer);
  const shape = network.draft.shapeOf(of);
  requireLastAxis(network, layer, shape.length);
  const [C] = shape;
  const groups = numberOf(layer, ['groups'], 32);
  const isInstance = groups === -1 || groups === C;
  const affine = flagOf(layer, 'scale', true) || flagOf(layer, 'center', true);
  const eps = numberOf(layer, ['epsilon'], 1e-3);
  const attributes = { ...(isInstance ? {} : { numGroups: groups }), eps, affine };
  const weights = affine ? affineOf(network, layer, C) : {};
  return added(network, layer, isInstance ? 'instance_norm' : 'group_norm', [of], attributes, weights);
};

/** One slope for all values, or one a channel. */
const prelu: Reader = (network, layer) => {
  const of = network.source(layer);
  const alpha = network.weight(layer, 'alpha', network.draft.shapeOf(of).length);
  const [count, ...rest] = alpha.shape.toReversed();
  if (rest.some((size) => size !== 1))
    throw network.unsupported(
      layer,
      `expected one slope, or one a channel, found ${alpha.data.length}; share axes 1 and 2`,
    );
  const weight = { shape: [count], data: alpha.data };
  return added(network, layer, 'prelu', [of], { numParameters: count }, { weight });
};

const batchNorm: Reader = (network, layer) => {
  const [mean, variance] = ['moving_mean', 'moving_variance'].map((own) => network.weight(layer, own, 1));
  const eps = numberOf(layer, ['epsilon'], 1e-3);
  const [scale, centre] = [flagOf(layer, 'scale', true), flagOf(layer, 'center', true)];
  const value = network.input(layer);
  const std = [...variance.data].map((one) => Math.sqrt(one + eps));
  if (
    value.kind === 'images' &&
    !network.arePixels(value) &&
    !scale &&
    !centre &&
    std.every((one) => one > 0 && Number.isFinite(one))
  )
    return { kind: 'normalised', mean: [...mean.data], std };
  const { of, heldAs } = network.vector(layer);
  const own = { ...affineOf(network, layer, mean.data.length), running_mean: mean, running_var: variance };
  requireLastAxis(network, layer, heldAs || network.draft.shapeOf(of).length === 1 ? 1 : 3);
  // Keras's momentum is the share that stays, PyTorch's the share that a batch adds.
  const momentum = Number((1 - numberOf(layer, ['momentum'], 0.99)).toPrecision(12));
  const weights = heldAs
    ? Object.fromEntries(
        Object.entries(own).map(([name, one]) => [name, inOrder(network, layer, one, heldAs)]),
      )
    : own;
  const name = network.draft.add(layer.name, 'batch_norm', [of], { eps, momentum }, weights);
  return { kind: 'layer', layer: name, ...(heldAs ? { heldAs } : {}) };
};

/** A vector in the order H, W, C in the order C, H, W. */
function inOrder(
  network: TfjsNetwork,
  layer: FileLayer,
  { shape, data }: KerasTensor,
  [C, H, W]: Shape,
): KerasTensor {
  if (data.length !== C * H * W)
    throw network.bad(layer, `expected weights of ${C * H * W} values for its input, found ${data.length}`);
  return { shape, data: transposed(data, [H, W, C], [2, 0, 1]) };
}

const zeroPadding: Reader = (network, layer) => {
  requireChannelsLast(network, layer);
  const place = layer.config.at('padding');
  const sides = (): Padding => {
    if (!isGiven(place)) return { top: 1, bottom: 1, left: 1, right: 1 };
    if (Array.isArray(place.value) && place.value.some(Array.isArray)) {
      const [[top, bottom], [left, right]] = place
        .items('pairs', 2, 2)
        .map((pair) => pair.items('sizes', 2, 2).map((size) => size.whole(0, MOST)));
      return { top, bottom, left, right };
    }
    const [vertical, horizontal] = place.pair(0, MOST);
    return { top: vertical, bottom: vertical, left: horizontal, right: horizontal };
  };
  return { kind: 'padded', of: network.source(layer), padding: sides() };
};

const pooling =
  (op: 'max_pool' | 'avg_pool'): Reader =>
  (network, layer) => {
    requireChannelsLast(network, layer);
    const kernelSize = pairOf(layer, 'pool_size', [2, 2]);
    const stride = pairOf(layer, 'strides', kernelSize);
    // Zeros could become the maximum.
    const takes = (source: string, sides: Padding) =>
      isWithinHalf(sides, kernelSize) && (op === 'avg_pool' || nonNegative(network, source));
    const { source, padding } = padded(network, layer, takes);
    // What "same" adds is left out of the mean; the zeros of a ZeroPadding2D count.
    const uncounted = op === 'avg_pool' && padding === 'same' ? { countIncludePad: false } : {};
    const attributes = { kernelSize, stride, padding: paddingAttribute(padding), ...uncounted };
    return added(network, layer, op, [source], attributes);
  };

/** Whether a layer's outputs are at least 0. */
function nonNegative(network: TfjsNetwork, source: string): boolean {
  const { layers } = network.draft;
  const index = layers.findIndex(({ name }) => name === source);
  if (index < 0) return false;
  const { op, inputs = [layers[index - 1]?.name ?? IMAGES] } = layers[index];
  return isNonNegative(op, () => inputs.every((input) => nonNegative(network, input)));
}

const globalPooling =
  (op: string): Reader =>
  (network, layer) => {
    requireChannelsLast(network, layer);
    const of = network.draft.add(layer.name, op, [network.source(layer)], { outputSize: [1, 1] });
    return flagOf(layer, 'keepdims', false) ? { kind: 'layer', layer: of } : { kind: 'pooled', of };
  };

const flatten: Reader = (network, layer) => {
  const value = network.input(layer);
  if (value.kind === 'channels first')
    return { kind: 'layer', layer: network.draft.add(layer.name, 'flatten', [value.of]) };
  if (value.kind === 'pooled' || network.arePixels(value)) return value;
  const of = network.source(layer);
  const shape = network.draft.shapeOf(of);
  if (shape.length === 1) return value;
  const own = network.draft.add(layer.name, 'flatten', [of]);
  const apart = shape[0] > 1 && elements(shape.slice(1)) > 1;
  return { kind: 'layer', layer: own, ...(apart ? { heldAs: shape } : {}) };
};

const reshape: Reader = (network, layer) => {
  // An operation of that name, not the layer.
  if (layer.config.at('target_shape').isAbsent) throw network.unsupported(layer, 'wgrad has no layer for it');
  const sizes = layer.config
    .at('target_shape')
    .items('sizes', 1, 8)
    .map((size) => size.number(-1, 2 ** 31));
  if (sizes.length === 1) return flatten(network, layer);
  const value = network.input(layer);
  const [C, H, W] = network.draft.images;
  if (network.arePixels(value) && sizes.join() === [H, W, C].join())
    return { kind: 'layer', layer: network.imageSource(layer, value) };
  if (value.kind === 'pooled' && sizes.length === 3 && sizes[0] === 1 && sizes[1] === 1)
    return { kind: 'layer', layer: value.of };
  throw network.unsupported(layer, `wgrad has no layer that changes the shape to [${sizes.join(', ')}]`);
};

const permute: Reader = (network, layer) => {
  const dims = layer.config
    .at('dims')
    .items('axes', 1, 8)
    .map((axis) => axis.whole(0, 8));
  if (dims.join() !== '3,1,2')
    throw network.unsupported(layer, `expected dims 3, 1, 2 before a Flatten, found ${dims.join(', ')}`);
  return { kind: 'channels first', of: network.source(layer) };
};

/** Images times a number plus another one: how they are normalised. */
const rescaling: Reader = (network, layer) => {
  const scale = numberOf(layer, ['scale'], 1);
  const offset = numberOf(layer, ['offset'], 0);
  if (network.input(layer).kind !== 'images') {
    if (offset !== 0) throw network.unsupported(layer, `expected offset 0 between layers, found ${offset}`);
    return elementwise('scale', () => ({ factor: scale }))(network, layer);
  }
  if (!(scale > 0)) throw network.unsupported(layer, `expected scale above 0 for images, found ${scale}`);
  const channels = Array.from({ length: network.draft.images[0] });
  // Here pixels are in [0, 1]: a small scale is for those of 0 to 255.
  const range = scale < 0.1 ? 255 : 1;
  if (range > 1) network.note('Its images have pixels of 0 to 255; here they are in [0, 1].');
  const [mean, std] = [-offset / (scale * range), 1 / (scale * range)];
  return { kind: 'normalised', mean: channels.map(() => mean || 0), std: channels.map(() => std) };
};

const joining =
  (op: string): Reader =>
  (network, layer) => {
    if (op === 'concat') {
      const axis = numberOf(layer, ['axis'], -1);
      if (axis !== -1 && axis !== 3) throw network.unsupported(layer, `expected axis -1, found ${axis}`);
    }
    return added(
      network,
      layer,
      op,
      layer.inputs.map((_, i) => network.source(layer, i)),
    );
  };

const relu: Reader = (network, layer) => {
  for (const name of ['negative_slope', 'threshold']) {
    const found = numberOf(layer, [name], 0);
    if (found !== 0) throw network.unsupported(layer, `expected no ${name}, found ${found}`);
  }
  const max = numberOf(layer, ['max_value'], Infinity);
  if (max === Infinity) return elementwise('relu')(network, layer);
  return elementwise('clip', () => ({ min: 0, max }))(network, layer);
};

const activationLayer: Reader = (network, layer) => {
  const { of, heldAs } = network.vector(layer);
  const before = { kind: 'layer', layer: of, ...(heldAs ? { heldAs } : {}) } as const;
  return activated(network, layer, before);
};

const softmax: Reader = (network, layer) => {
  const axis = numberOf(layer, ['axis'], -1);
  if (axis !== -1 && axis !== network.draft.shapeOf(network.vector(layer).of).length)
    throw network.unsupported(layer, `expected axis -1, the classes, found ${axis}`);
  return softmaxOf(network, layer, network.input(layer));
};

/** Of ops that change each value by itself, which say what Keras's classes of them are. */
const ELEMENTWISE = FORMATS.all().flatMap(({ op, tfjs }) =>
  Object.entries(tfjs.classes ?? {}).map(([className, attributesOf]) => [
    className,
    elementwise(op, (layer) => attributesOf((names, usual) => numberOf(layer, names, usual))),
  ]),
);

/** What changes values only in training. */
const ONLY_IN_TRAINING = [
  ...[
    'RandomFlip',
    'RandomRotation',
    'RandomZoom',
    'RandomTranslation',
    'RandomContrast',
    'RandomBrightness',
  ],
  ...['GaussianNoise', 'GaussianDropout', 'AlphaDropout', 'SpatialDropout2D', 'ActivityRegularization'],
];

const passedOn: Reader = (network, layer) => {
  network.note(`${layer.className} was left out: it changes values only in training.`);
  return network.input(layer);
};

/** By the class's name. */
export const READERS: Readonly<Record<string, Reader>> = {
  ...Object.fromEntries(ELEMENTWISE),
  Conv2D: conv2d,
  DepthwiseConv2D: depthwiseConv2d,
  SeparableConv2D: separableConv2d,
  Dense: dense,
  BatchNormalization: batchNorm,
  GroupNormalization: groupNorm,
  PReLU: prelu,
  Activation: activationLayer,
  ReLU: relu,
  Softmax: softmax,
  ...Object.fromEntries(ONLY_IN_TRAINING.map((name) => [name, passedOn])),
  MaxPooling2D: pooling('max_pool'),
  AveragePooling2D: pooling('avg_pool'),
  GlobalMaxPooling2D: globalPooling('adaptive_max_pool'),
  GlobalAveragePooling2D: globalPooling('adaptive_avg_pool'),
  ZeroPadding2D: zeroPadding,
  Flatten: flatten,
  Reshape: reshape,
  Permute: permute,
  Rescaling: rescaling,
  Add: joining('add'),
  Concatenate: joining('concat'),
};
