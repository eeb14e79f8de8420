import type { NodeProto } from 'onnx-buf';
import { elements } from '../../base/shape.ts';
import { transposed } from '../../base/transposed.ts';
import { biasArgument, channels, furtherArguments, type Formats } from '../formats.ts';
import { present, realOf, wholeOf, type Constant, type OnnxReading } from '../onnx.ts';

/** Those that were transposed: thousands of nodes may share one. */
const known = new WeakMap<Constant, Constant>();

/** A weight matrix as [out, in]. */
function turned(matrix: Constant): Constant {
  const before = known.get(matrix);
  if (before) return before;
  const [rows, columns] = matrix.shape;
  const data = transposed(matrix.data, matrix.shape, [1, 0]);
  const result = { ...matrix, shape: [columns, rows], data };
  known.set(matrix, result);
  return result;
}

/** The second input, a matrix. */
function matrixOf(network: OnnxReading, node: NodeProto): Constant {
  const weight = network.constantInput(node, 1);
  if (weight?.shape.length !== 2)
    throw network.unsupported(node, 'expected a constant matrix of weights as its second input');
  return weight;
}

function addLinear(network: OnnxReading, node: NodeProto, weight: Constant, bias?: Constant): true {
  const attributes = { outFeatures: weight.shape[0], bias: bias !== undefined };
  network.add(node, 'linear', [network.source(node)], attributes, { weight, bias });
  return true;
}

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
    read: {
      Gemm(network, node) {
        const weight = matrixOf(network, node);
        const bias = network.constantInput(node, 2);
        const plain =
          realOf(node, 'alpha', 1) === 1 &&
          (!bias || realOf(node, 'beta', 1) === 1) &&
          wholeOf(node, 'transA', 0) === 0;
        if (!plain) throw network.unsupported(node, 'expected alpha 1, beta 1 and transA 0');
        const matrix = wholeOf(node, 'transB', 0) === 1 ? weight : turned(weight);
        if (!bias) return addLinear(network, node, matrix);
        const [outFeatures] = matrix.shape;
        const count = bias.data.length;
        if (count !== 1 && (count !== outFeatures || bias.shape.at(-1) !== outFeatures))
          throw network.unsupported(
            node,
            `expected a bias of ${outFeatures} values, found [${bias.shape.join(', ')}]`,
          );
        const data = new Float32Array(outFeatures).map((_, i) => bias.data[count === 1 ? 0 : i]);
        return addLinear(network, node, matrix, { ...bias, shape: [outFeatures], data });
      },
      MatMul: (network, node) => addLinear(network, node, turned(matrixOf(network, node))),
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
