/** Activations that may be several nodes, and softmax. */
import { wholeOf } from '../../../ops/onnx.ts';
import { isClose, passOn, type Reader, type Readers } from './reader.ts';

/** Also the gate of SiLU, x sigmoid(x). */
const sigmoid: Reader = (network, node) => {
  const [input] = node.input;
  const [output] = node.output;
  const takers = network.takersOf(output);
  const gates = takers.filter(
    (taker) => taker.opType === 'Mul' && taker.input.includes(input) && taker.input.includes(output),
  );
  if (gates.length === 0 || gates.length < takers.length)
    network.add(node, 'sigmoid', [network.source(node)]);
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

/** Ops that are one operator have its reader themselves: src/ops. */
export const ACTIVATIONS: Readers = {
  Sigmoid: sigmoid,
  Softplus: softplus,
  Erf: erf,
  Softmax: softmax,
  LogSoftmax: softmax,
};
