import { attributeArguments, channels, further, type Formats } from '../formats.ts';
import type { Shape } from '../../base/shape.ts';
import { transposed } from '../../base/transposed.ts';
import {
  affineOf,
  affineVariables,
  requireLastAxis,
  type FileLayer,
  type KerasReader,
  type KerasReading,
  type KerasTensor,
} from '../keras.ts';
import { numberOf, type SourceLayer } from '../layer.ts';
import { epsilonOf, present, realOf, rounded, wholeOf } from '../onnx.ts';
import attributes from './attributes.ts';

const epsOf = (layer: SourceLayer) => numberOf(layer, 'eps');
const momentumOf = (layer: SourceLayer) => numberOf(layer, 'momentum');
/** Keras's momentum is the share that stays, PyTorch's the share that a batch adds: each is 1 less the other. */
const otherShare = (momentum: number) => Number((1 - momentum).toPrecision(12));
const kept = (layer: SourceLayer) => otherShare(momentumOf(layer));

const readKeras: KerasReader = (network, layer) => {
  const { config } = layer;
  const [mean, variance] = ['moving_mean', 'moving_variance'].map((own) => network.weight(layer, own, 1));
  const eps = config.number('epsilon', 1e-3);
  const value = network.input(layer);
  const std = [...variance.data].map((one) => Math.sqrt(one + eps));
  if (
    value.kind === 'images' &&
    !network.arePixels(value) &&
    affineVariables(config).length === 0 &&
    std.every((one) => one > 0 && Number.isFinite(one))
  )
    return { kind: 'normalised', mean: [...mean.data], std };
  const { of, heldAs } = network.vector(layer);
  const own = { ...affineOf(network, layer, mean.data.length), running_mean: mean, running_var: variance };
  requireLastAxis(network, layer, heldAs || network.shapeOf(of).length === 1 ? 1 : 3);
  const momentum = otherShare(config.number('momentum', 0.99));
  const weights = heldAs
    ? Object.fromEntries(
        Object.entries(own).map(([name, one]) => [name, channelsFirst(network, layer, one, heldAs)]),
      )
    : own;
  const name = network.addLayer(layer.name, 'batch_norm', [of], { eps, momentum }, weights);
  return { kind: 'layer', layer: name, ...(heldAs ? { heldAs } : {}) };
};

/** A vector in the order H, W, C in the order C, H, W. */
function channelsFirst(
  network: KerasReading,
  layer: FileLayer,
  { shape, data }: KerasTensor,
  [C, H, W]: Shape,
): KerasTensor {
  if (data.length !== C * H * W)
    throw network.bad(layer, `expected weights of ${C * H * W} values for its input, found ${data.length}`);
  return { shape, data: transposed(data, [H, W, C], [2, 0, 1]) };
}

export default {
  op: 'batch_norm',
  pytorch: {
    module(layer) {
      const [input] = layer.inputs;
      const dimensions = input.length === 1 ? 1 : 2;
      return [
        `nn.BatchNorm${dimensions}d(`,
        channels(input[0], 'out_channels'),
        `${further(attributeArguments(attributes)(layer))})`,
      ];
    },
  },
  keras: ({ layer, simple }) =>
    simple('BatchNormalization', [
      ['momentum', String(kept(layer)), '0.99'],
      ['epsilon', String(epsOf(layer)), '0.001'],
    ]),
  onnx: {
    write({ graph, layer, inputs, output, parameter }) {
      const tensors = present(['weight', 'bias', 'running_mean', 'running_var'].map(parameter));
      graph.node('BatchNormalization', [...inputs, ...tensors], output, {
        epsilon: { float: epsOf(layer) },
        momentum: { float: 1 - momentumOf(layer) },
      });
    },
    read: {
      BatchNormalization(network, node) {
        if (wholeOf(node, 'training_mode', 0) !== 0)
          throw network.unsupported(node, 'it is in training mode');
        const [weight, bias, mean, variance] = [1, 2, 3, 4].map((i) => network.constantInput(node, i));
        // ONNX's momentum is the share that stays, too.
        const momentum = rounded(1 - realOf(node, 'momentum', 0.9));
        const own = { eps: epsilonOf(node), momentum };
        const parameters = { weight, bias, running_mean: mean, running_var: variance };
        network.add(node, 'batch_norm', [network.source(node)], own, parameters);
        return true;
      },
    },
  },
  tfjs: {
    write({ graph, layer, inputs }) {
      const [C] = layer.output;
      const name = graph.add('BatchNormalization', layer.name, inputs, {
        axis: -1,
        momentum: kept(layer),
        epsilon: epsOf(layer),
        center: true,
        scale: true,
      });
      const own = {
        gamma: 'weight',
        beta: 'bias',
        moving_mean: 'running_mean',
        moving_variance: 'running_var',
      };
      for (const [weight, parameter] of Object.entries(own))
        graph.weight(name, weight, [`${layer.name}.${parameter}`, [C], [0]]);
      return name;
    },
    read: { BatchNormalization: readKeras },
    variables: {
      BatchNormalization: (config) => [...affineVariables(config), 'moving_mean', 'moving_variance'],
    },
  },
} satisfies Formats;
