import { attributeArguments, channels, further, type Formats } from '../formats.ts';
import { numberOf, type SourceLayer } from '../layer.ts';
import { epsilonOf, present, realOf, rounded, wholeOf } from '../onnx.ts';
import attributes from './attributes.ts';

const epsOf = (layer: SourceLayer) => numberOf(layer, 'eps');
const momentumOf = (layer: SourceLayer) => numberOf(layer, 'momentum');
/** The share that stays, which is Keras's momentum; PyTorch's is the share that a batch adds. */
const kept = (layer: SourceLayer) => Number((1 - momentumOf(layer)).toPrecision(12));

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
  },
} satisfies Formats;
