import { elements } from '../../base/shape.ts';
import { biasArgument, channels, furtherArguments, type Formats } from '../formats.ts';
import { present } from '../onnx.ts';

export default {
  op: 'linear',
  pytorch: {
    heavy: true,
    module: (layer) => [
      ...['nn.Linear(', channels(layer.inputs[0][0], 'in_features'), ', '],
      ...[channels(layer.output[0], 'out_features'), `${furtherArguments(biasArgument(layer, 'bias'))})`],
    ],
  },
  keras: ({ layer, start, simple }) =>
    simple('Dense', [biasArgument(layer, 'use_bias'), start], [String(layer.output[0])]),
  onnx: {
    write({ graph, inputs, output, parameter }) {
      const tensors = present([parameter('weight'), parameter('bias')]);
      graph.node('Gemm', [...inputs, ...tensors], output, { transB: 1 });
    },
  },
  tfjs: {
    write({ graph, layer, inputs }) {
      const [units] = layer.output;
      const bias = layer.attributes['bias'] === true;
      const name = graph.add('Dense', layer.name, inputs, { units, activation: 'linear', use_bias: bias });
      graph.weight(name, 'kernel', [`${layer.name}.weight`, [units, elements(layer.inputs[0])], [1, 0]]);
      if (bias) graph.weight(name, 'bias', [`${layer.name}.bias`, [units], [0]]);
      return name;
    },
  },
} satisfies Formats;
