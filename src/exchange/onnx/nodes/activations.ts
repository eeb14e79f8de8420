/** Activations, also where several nodes make one; dropout and softmax. */
import {
  isClose,
  layer,
  numberOf,
  passOn,
  rounded,
  wholeOf,
  wordOf,
  type Reader,
  type Readers,
} from './reader.ts';

/** Also the gate of SiLU, x sigmoid(x). */
const sigmoid: Reader = (network, node) => {
  const [input] = node.input;
  const [output] = node.output;
  const takers = network.takersOf(output);
  const gates = takers.filter(
    (taker) => taker.opType === 'Mul' && taker.input.includes(input) && taker.input.includes(output),
  );
  if (gates.length === 0 || gates.length < takers.length) layer('sigmoid')(network, node);
  else network.define(output, { kind: 'gate', of: network.source(node) });
};

const erf: Reader = (network, node) => {
  const value = network.input(node);
  if (value.kind !== 'scaled' || !isClose(value.factor, Math.SQRT1_2))
    throw network.unsupported(node, 'wgrad supports the error function only as part of GELU');
  network.define(node.output[0], { kind: 'erf', of: value.of });
};

const softplus: Reader = (network, node) => {
  const value = network.input(node);
  if (value.kind === 'scaled')
    network.define(node.output[0], { kind: 'softplus', of: value.of, beta: value.factor });
  else network.add(node, 'softplus', [network.source(node)]);
};

const softmax: Reader = (network, node) => {
  if (network.takersOf(node.output[0]).length > 0)
    throw network.unsupported(node, 'wgrad supports it only at the end');
  const { axis, rank } = {
    axis: wholeOf(node, 'axis', 1),
    rank: 1 + network.shapeOf(network.source(node)).length,
  };
  if (axis !== 1 && axis + rank !== 1)
    throw network.unsupported(node, `expected axis 1, that of the classes, found ${axis}`);
  network.note(`The ${node.opType} at the end was left out: networks here end with logits.`);
  passOn(network, node);
};

export const ACTIVATIONS: Readers = {
  Relu: layer('relu'),
  Sigmoid: sigmoid,
  Tanh: layer('tanh'),
  LeakyRelu: (network, node) =>
    network.add(node, 'leaky_relu', [network.source(node)], { negativeSlope: numberOf(node, 'alpha', 0.01) }),
  Elu: (network, node) =>
    network.add(node, 'elu', [network.source(node)], { alpha: numberOf(node, 'alpha', 1) }),
  Gelu: (network, node) =>
    network.add(node, 'gelu', [network.source(node)], { approximate: wordOf(node, 'approximate', 'none') }),
  Swish: layer('silu'),
  Softplus: softplus,
  Erf: erf,
  Dropout: (network, node) => {
    const ratio = network.constantInput(node, 1)?.data[0] ?? numberOf(node, 'ratio', 0.5);
    network.add(node, 'dropout', [network.source(node)], { p: rounded(ratio) });
  },
  Softmax: softmax,
  LogSoftmax: softmax,
};
