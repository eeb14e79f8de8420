import type { NodeProto } from 'onnx-buf';
import { elements, type Shape } from '../../base/shape.ts';
import { transposed } from '../../base/transposed.ts';
import { biasArgument, channels, furtherArguments, type Formats } from '../formats.ts';
import {
  biasOf,
  turned,
  type FileLayer,
  type KerasReader,
  type KerasReading,
  type KerasTensor,
} from '../keras.ts';
import { present, realOf, wholeOf, type Constant, type OnnxReading } from '../onnx.ts';

/** Those that were transposed: thousands of nodes may share one. */
const known = new WeakMap<Constant, Constant>();

/** A weight matrix as [out, in]. */
function outputsFirst(matrix: Constant): Constant {
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

const dense: KerasReader = (network, layer) => {
  const kernel = network.weight(layer, 'kernel', 2);
  const [rows, units] = kernel.shape;
  const bias = biasOf(network, layer);
  const { of, heldAs } = network.vector(layer);
  const biased = { bias: bias !== undefined };
  if (network.shapeOf(of).length > 1) {
    // Of each pixel's channels.
    const weight = turned(kernel, [1, 0], [units, rows, 1, 1]);
    const own = { outChannels: units, kernelSize: [1, 1], ...biased };
    return network.add(layer, 'conv', [of], own, { weight, bias });
  }
  const weight = heldAs ? channelsFirst(network, layer, kernel, heldAs) : turned(kernel, [1, 0]);
  return network.add(layer, 'linear', [of], { outFeatures: units, ...biased }, { weight, bias });
};

/** A kernel whose rows are in the order H, W, C, as a weight whose columns are in the order C, H, W. */
function channelsFirst(
  network: KerasReading,
  layer: FileLayer,
  { shape, data }: KerasTensor,
  [C, H, W]: Shape,
): KerasTensor {
  const [rows, units] = shape;
  if (rows !== C * H * W)
    throw network.bad(layer, `expected a kernel of ${C * H * W} rows for its input, found ${rows}`);
  return { shape: [units, rows], data: transposed(data, [H, W, C, units], [3, 2, 0, 1]) };
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
        const matrix = wholeOf(node, 'transB', 0) === 1 ? weight : outputsFirst(weight);
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
      MatMul: (network, node) => addLinear(network, node, outputsFirst(matrixOf(network, node))),
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
    read: { Dense: dense },
  },
} satisfies Formats;
