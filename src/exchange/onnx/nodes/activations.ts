/** Activations that may be several nodes, and softmax. */
import type { NodeProto } from 'onnx-buf';
import { realOf, wholeOf } from '../../../ops/onnx.ts';
import type { OnnxNetwork } from '../network.ts';
import { isClose, passOn, scaledOf, type Reader, type Readers } from './reader.ts';

/** Whether all that a node's value is for is to be multiplied by what the node reads. */
function isGate(network: OnnxNetwork, { input: [input], output: [output] }: NodeProto): boolean {
  const takers = network.takersOf(output);
  return (
    takers.length > 0 &&
    takers.every(
      (taker) => taker.opType === 'Mul' && taker.input.includes(input) && taker.input.includes(output),
    )
  );
}

/** Also the gate of SiLU, x sigmoid(x). */
const sigmoid: Reader = (network, node) => {
  if (isGate(network, node))
    network.define(node.output[0], { kind: 'gate', of: network.source(node), op: 'silu' });
  else network.add(node, 'sigmoid', [network.source(node)]);
};

/** Also the gate of hard swish, x hardsigmoid(x). */
const hardSigmoid: Reader = (network, node) => {
  const beta = realOf(node, 'beta', 0.5);
  if (beta !== 0.5) throw network.unsupported(node, `expected beta 0.5, found ${beta}`);
  const slope = realOf(node, 'alpha', 0.2);
  if (isGate(network, node) && isClose(slope, 1 / 6))
    network.define(node.output[0], { kind: 'gate', of: network.source(node), op: 'hard_swish' });
  else network.add(node, 'hard_sigmoid', [network.source(node)], { slope });
};

const erf: Reader = (network, node) => {
  const value = scaledOf(network.input(node));
  if (!value || !isClose(value.factor, Math.SQRT1_2))
    throw network.unsupported(node, 'wgrad supports the error function only as part of GELU');
  network.define(node.output[0], { kind: 'erf', of: value.of });
};

const softplus: Reader = (network, node) => {
  const value = scaledOf(network.input(node));
  if (value) network.define(node.output[0], { kind: 'softplus', of: value.of, beta: value.factor });
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
  HardSigmoid: hardSigmoid,
  Softplus: softplus,
  Erf: erf,
  Softmax: softmax,
  LogSoftmax: softmax,
};
