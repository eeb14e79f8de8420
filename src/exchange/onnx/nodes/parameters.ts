/** Layers with parameters: convolutions, matrix products, normalisations. */
import type { NodeProto } from 'onnx-buf';
import type { OnnxNetwork } from '../network.ts';
import { epsilonOf, realOf, wholeOf, type Constant } from '../../../ops/onnx.ts';
import type { Reader, Readers } from './reader.ts';
import { added, paddedSource, tidy, windows } from './windows.ts';

const conv: Reader = (network, node) => {
  const weight = network.constantInput(node, 1);
  if (!weight) throw network.bad(node, 'expected weights, found none');
  if (weight.shape.length !== 4)
    throw network.unsupported(
      node,
      `expected weights with four dimensions, as for images; found ${weight.shape.length}`,
    );
  const { source, padding } = paddedSource(network, node, 0);
  const own = windows(network, node, weight.shape.slice(2), source);
  const all = padding && own.padding !== 'same' ? { ...own, padding: added(own.padding, padding) } : own;
  const bias = network.constantInput(node, 2);
  const attributes = {
    outChannels: weight.shape[0],
    ...tidy(all),
    groups: wholeOf(node, 'group', 1),
    bias: bias !== undefined,
  };
  network.add(node, 'conv', [source], attributes, { weight, bias });
};

/** Those that were transposed: thousands of nodes may share one. */
const known = new WeakMap<Constant, Constant>();

/** A weight matrix as [out, in]. */
function transposed(matrix: Constant): Constant {
  const before = known.get(matrix);
  if (before) return before;
  const { name, shape, data, whole } = matrix;
  const [rows, columns] = shape;
  const turned = new Float32Array(data.length);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) turned[j * rows + i] = data[i * columns + j];
  const result = { name, shape: [columns, rows], data: turned, whole };
  known.set(matrix, result);
  return result;
}

function addLinear(
  network: OnnxNetwork,
  node: NodeProto,
  weight: Constant,
  bias: Constant | undefined,
): void {
  const [outFeatures] = weight.shape;
  const attributes = { outFeatures, bias: bias !== undefined };
  network.add(node, 'linear', [network.source(node)], attributes, { weight, bias });
}

const gemm: Reader = (network, node) => {
  const weight = network.constantInput(node, 1);
  const bias = network.constantInput(node, 2);
  if (!weight || weight.shape.length !== 2)
    throw network.unsupported(node, 'expected a constant matrix of weights');
  const plain =
    realOf(node, 'alpha', 1) === 1 &&
    (!bias || realOf(node, 'beta', 1) === 1) &&
    wholeOf(node, 'transA', 0) === 0;
  if (!plain) throw network.unsupported(node, 'expected alpha 1, beta 1 and transA 0');
  const matrix = wholeOf(node, 'transB', 0) === 1 ? weight : transposed(weight);
  const [outFeatures] = matrix.shape;
  if (
    bias &&
    bias.data.length !== 1 &&
    (bias.data.length !== outFeatures || bias.shape.at(-1) !== outFeatures)
  )
    throw network.unsupported(
      node,
      `expected a bias of ${outFeatures} values, found [${bias.shape.join(', ')}]`,
    );
  const data = bias && new Float32Array(outFeatures).map((_, i) => bias.data[bias.data.length === 1 ? 0 : i]);
  addLinear(network, node, matrix, bias && data && { ...bias, shape: [outFeatures], data });
};

const matMul: Reader = (network, node) => {
  const weight = network.constantInput(node, 1);
  if (!weight || weight.shape.length !== 2)
    throw network.unsupported(node, 'expected a constant matrix on the right');
  addLinear(network, node, transposed(weight), undefined);
};

/**
 * Weight and bias of a normalisation that ONNX has not without: none if they change nothing and are nobody's parameters.
 * Version 18 has one of each a group.
 */
function affineOf(network: OnnxNetwork, node: NodeProto, channels: number) {
  const [weight, bias] = [1, 2].map((i) => network.constantInput(node, i));
  if (!weight || !bias) throw network.bad(node, 'expected a weight and a bias');
  const isPlain = weight.data.every((one) => one === 1) && bias.data.every((one) => one === 0);
  if (isPlain && !weight.name.endsWith('.weight')) return undefined;
  const each = channels / weight.data.length;
  const spread = (one: Constant): Constant =>
    Number.isInteger(each) && each > 1
      ? {
          ...one,
          shape: [channels],
          data: Float32Array.from({ length: channels }, (_, c) => one.data[Math.floor(c / each)]),
        }
      : one;
  return { weight: spread(weight), bias: spread(bias) };
}

const groupNorm: Reader = (network, node) => {
  const source = network.source(node);
  const affine = affineOf(network, node, network.shapeOf(source)[0]);
  const attributes = {
    numGroups: wholeOf(node, 'num_groups', 1),
    eps: epsilonOf(node),
    affine: affine !== undefined,
  };
  network.add(node, 'group_norm', [source], attributes, affine);
};

/** PyTorch writes group normalisation as that of instances, between two changes of shape. */
const instanceNorm: Reader = (network, node) => {
  const begun = network.begunAt(node, 'group_norm');
  if (begun) {
    if (affineOf(network, node, Number(begun.attributes['numGroups'])))
      throw network.unsupported(node, 'expected no weights of groups');
    const attributes = { ...begun.attributes, eps: epsilonOf(node), affine: false };
    network.begin(node, { ...begun, attributes });
    return;
  }
  const source = network.source(node);
  const affine = affineOf(network, node, network.shapeOf(source)[0]);
  const attributes = { eps: epsilonOf(node), affine: affine !== undefined };
  network.add(node, 'instance_norm', [source], attributes, affine);
};

export const PARAMETERS: Readers = {
  Conv: conv,
  Gemm: gemm,
  MatMul: matMul,
  GroupNormalization: groupNorm,
  InstanceNormalization: instanceNorm,
};
