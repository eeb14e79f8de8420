import {
  biasArgument,
  channels,
  furtherArguments,
  pairText,
  type Formats,
  type Keras,
  type NamedArguments,
  type Pytorch,
} from '../formats.ts';
import {
  biasOf,
  paddedInput,
  turned,
  type FileLayer,
  type KerasReading,
  type KerasTensor,
} from '../keras.ts';
import { isPadded, numberOf, unsupported, windowsOf } from '../layer.ts';
import { present, wholeOf, type Onnx } from '../onnx.ts';
import { addedPadding, paddedSource, readWindows } from '../onnx-windows.ts';
import { notInTfjs, type Tfjs, type TfjsWriter } from '../tfjs.ts';
import { isSame, kerasPadded, onnxWindows, torchPadding, torchSides, zeroPadded } from '../windows.ts';

const pytorch: Pytorch = {
  heavy: true,
  module(layer) {
    const { inputs, output } = layer;
    const groups = numberOf(layer, 'groups');
    const windows = windowsOf(layer);
    const more = furtherArguments(
      ['stride', pairText(windows.stride), '1'],
      ['padding', torchPadding(windows, 'conv') ?? '0', '0'],
      ['dilation', pairText(windows.dilation), '1'],
    );
    const [from, to] = [channels(inputs[0][0], 'in_channels'), channels(output[0], 'out_channels')];
    const grouped = groups === 1 ? [] : [', groups=', channels(groups, 'groups')];
    const end = `${furtherArguments(biasArgument(layer, 'bias'))})`;
    return ['nn.Conv2d(', from, ', ', to, `, ${pairText(windows.size)}${more}`, ...grouped, end];
  },
  pad(layer) {
    const windows = windowsOf(layer);
    return torchPadding(windows, 'conv') === undefined ? torchSides(windows) : undefined;
  },
};

const keras: Keras = ({ layer, first, start, called }) => {
  const windows = windowsOf(layer);
  const { size, stride, dilation } = windows;
  if (dilation.some((step) => step > 1) && stride.some((step) => step > 1))
    throw unsupported(layer, 'Keras', 'its convolutions have either a stride or a dilation, not both');
  const { before, padding, of } = kerasPadded(windows, first, '0.0');
  const groups = numberOf(layer, 'groups');
  const common: NamedArguments = [
    ['strides', pairText(stride), '1'],
    ['padding', padding, '"valid"'],
    ['dilation_rate', pairText(dilation), '1'],
  ];
  const bias = biasArgument(layer, 'use_bias');
  const [K] = layer.output;
  if (groups > 1 && groups === layer.inputs[0][0]) {
    const each: NamedArguments = [
      ['depth_multiplier', String(K / groups), '1'],
      bias,
      ['depthwise_initializer', start[1], start[2]],
    ];
    return [...before, called('DepthwiseConv2D', [pairText(size)], [...common, ...each], of)];
  }
  const all: NamedArguments = [...common, ['groups', String(groups), '1'], bias, start];
  return [...before, called('Conv2D', [String(K), pairText(size)], all, of)];
};

const onnx: Onnx = {
  write({ graph, layer, inputs, output, parameter }) {
    const tensors = present([parameter('weight'), parameter('bias')]);
    const windows = windowsOf(layer);
    graph.node('Conv', [...inputs, ...tensors], output, {
      ...onnxWindows(windows),
      dilations: windows.dilation,
      group: numberOf(layer, 'groups'),
    });
  },
  read: {
    Conv(network, node) {
      const weight = network.constantInput(node, 1);
      if (!weight) throw network.bad(node, 'expected weights, found none');
      if (weight.shape.length !== 4)
        throw network.unsupported(
          node,
          `expected weights with four dimensions, as for images; found ${weight.shape.length}`,
        );
      const { source, padding } = paddedSource(network, node, 0);
      const windows = readWindows(network, node, weight.shape.slice(2), source);
      const bias = network.constantInput(node, 2);
      const attributes = {
        outChannels: weight.shape[0],
        ...windows,
        ...(padding && windows.padding !== 'same' ? { padding: addedPadding(windows.padding, padding) } : {}),
        groups: wholeOf(node, 'group', 1),
        bias: bias !== undefined,
      };
      network.add(node, 'conv', [source], attributes, { weight, bias });
      return true;
    },
  },
};

const writeTfjs: TfjsWriter = (writing) => {
  const { graph, layer, inputs } = writing;
  const [C] = layer.inputs[0];
  const [K] = layer.output;
  const windows = windowsOf(layer);
  const { size, stride, dilation } = windows;
  const groups = numberOf(layer, 'groups');
  const bias = layer.attributes['bias'] === true;
  const depthwise = groups > 1 && groups === C;
  if (groups > 1 && !depthwise)
    throw notInTfjs(layer, `its convolutions have either one group or one per channel; found ${groups}`);
  if (depthwise && dilation.some((step) => step > 1))
    throw notInTfjs(layer, 'its depthwise convolutions have no dilation');
  if (dilation.some((step) => step > 1) && stride.some((step) => step > 1))
    throw notInTfjs(layer, 'its convolutions have either a stride or a dilation, not both');
  const same = isPadded(windows) && isSame(windows);
  const from = isPadded(windows) && !same ? [zeroPadded(writing, windows)] : inputs;
  const common = {
    kernel_size: size,
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
  if (depthwise) graph.weight(name, 'depthwise_kernel', [weight, [C, K / C, ...size], [2, 3, 0, 1]]);
  else graph.weight(name, 'kernel', [weight, [K, C, ...size], [2, 3, 1, 0]]);
  if (bias) graph.weight(name, 'bias', [`${layer.name}.bias`, [K], [0]]);
  return name;
};

/** What Keras's convolutions share. */
function readShared(network: KerasReading, layer: FileLayer) {
  const bias = biasOf(network, layer);
  const { source, padding } = paddedInput(network, layer);
  const stride = layer.config.pair('strides', [1, 1]);
  const dilation = layer.config.pair('dilation_rate', [1, 1]);
  return { source, bias, windows: { stride, padding, dilation } };
}

/** The attributes and the weight of a convolution with one group per channel; the kernel is [R, S, C, multiplier]. */
function readDepthwise(kernel: KerasTensor) {
  const [R, S, C, multiplier] = kernel.shape;
  const K = C * multiplier;
  return {
    own: { outChannels: K, kernelSize: [R, S], groups: C },
    weight: turned(kernel, [2, 3, 0, 1], [K, 1, R, S]),
  };
}

const tfjs: Tfjs = {
  write: writeTfjs,
  read: {
    Conv2D(network, layer) {
      const kernel = network.weight(layer, 'kernel', 4);
      const [R, S, , outChannels] = kernel.shape;
      const groups = layer.config.number('groups', 1);
      const { source, bias, windows } = readShared(network, layer);
      const own = { outChannels, kernelSize: [R, S], ...windows, groups, bias: bias !== undefined };
      return network.add(layer, 'conv', [source], own, { weight: turned(kernel, [3, 2, 0, 1]), bias });
    },
    DepthwiseConv2D(network, layer) {
      // Keras 3 calls it as that of any convolution.
      const { own, weight } = readDepthwise(network.weight(layer, ['depthwise_kernel', 'kernel'], 4));
      const { source, bias, windows } = readShared(network, layer);
      const all = { ...own, ...windows, bias: bias !== undefined };
      return network.add(layer, 'conv', [source], all, { weight, bias });
    },
    /** Two convolutions: one per channel, then one of 1 x 1. */
    SeparableConv2D(network, layer) {
      const { own, weight } = readDepthwise(network.weight(layer, 'depthwise_kernel', 4));
      const pointwise = network.weight(layer, 'pointwise_kernel', 4);
      const { source, bias, windows } = readShared(network, layer);
      const first = { ...own, ...windows, bias: false };
      const between = network.addLayer(`${layer.name}_depthwise`, 'conv', [source], first, { weight });
      const second = { outChannels: pointwise.shape[3], kernelSize: [1, 1], bias: bias !== undefined };
      const weights = { weight: turned(pointwise, [3, 2, 0, 1]), bias };
      return network.add(layer, 'conv', [between], second, weights);
    },
  },
  variables: { SeparableConv2D: () => ['depthwise_kernel', 'pointwise_kernel', 'bias'] },
};

export default { op: 'conv', pytorch, keras, onnx, tfjs } satisfies Formats;
