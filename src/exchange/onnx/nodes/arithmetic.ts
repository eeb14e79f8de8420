/** Sums, products and their inverses: layers, biases, the images' normalisation and parts of activations. */
import type { NodeProto } from 'onnx-buf';
import type { OnnxNetwork, OnnxValue } from '../network.ts';
import type { Constant } from '../../../ops/onnx.ts';
import { rounded } from '../../../ops/onnx.ts';
import { isClose, scaledOf, type Reader, type Readers } from './reader.ts';

/** The number of a constant that has one value. */
const scalarOf = (value: OnnxValue): number | undefined =>
  value.kind === 'constant' && value.constant.data.length === 1 ? value.constant.data[0] : undefined;

/** A constant of one value, or one a channel, [C, 1, 1] or [1, C, 1, 1]. */
function byChannel(network: OnnxNetwork, { shape, data }: Constant): number[] | undefined {
  const [C] = network.shapeOf('input');
  if (data.length === 1) return Array.from({ length: C }, () => data[0]);
  const inner = shape.length < 4 ? shape : shape.slice(1);
  return data.length === C && inner.length === 3 && inner[0] === C ? [...data] : undefined;
}

/** Images minus, plus, times or divided by constants: how they are normalised. @returns whether it was that */
function normalise(network: OnnxNetwork, node: NodeProto, value: OnnxValue, constant: Constant): boolean {
  if (value.kind !== 'images' && value.kind !== 'normalised') return false;
  const numbers = byChannel(network, constant);
  if (!numbers) return false;
  const before =
    value.kind === 'normalised' ? value : { mean: numbers.map(() => 0), std: numbers.map(() => 1) };
  const { mean, std } = before;
  const after = {
    Sub: { mean: mean.map((m, i) => m + numbers[i] * std[i]), std },
    Add: { mean: mean.map((m, i) => m - numbers[i] * std[i]), std },
    Div: { mean, std: std.map((s, i) => s * numbers[i]) },
    Mul: { mean, std: std.map((s, i) => s / numbers[i]) },
  }[node.opType as 'Sub' | 'Add' | 'Div' | 'Mul'];
  if (after.std.some((s) => !(s > 0) || !Number.isFinite(s))) return false;
  network.define(node.output[0], { kind: 'normalised', ...after });
  return true;
}

/** A constant and what it is added to. */
const add: Reader = (network, node) => {
  const values = node.input.map((_, i) => network.input(node, i));
  const at = values.findIndex(({ kind }) => kind === 'constant');
  if (values.length !== 2)
    throw network.unsupported(node, `expected a constant and one more input, found ${values.length} inputs`);
  const constant = network.constantInput(node, at) as Constant;
  const value = values[1 - at];
  if (normalise(network, node, value, constant)) return;
  if (value.kind === 'erf' && constant.data.length === 1 && constant.data[0] === 1) {
    network.define(node.output[0], { kind: 'erf + 1', of: value.of });
    return;
  }
  if (value.kind === 'layer' && network.addBias(value.layer, node, constant)) return;
  throw network.unsupported(node, 'wgrad has no layer that adds a constant, except biases');
};

const mul: Reader = (network, node) => {
  const [a, b] = [network.input(node, 0), network.input(node, 1)];
  const gate = [a, b].find(({ kind }) => kind === 'gate');
  if (gate?.kind === 'gate') {
    network.add(node, gate.op, [gate.of]);
    return;
  }
  const scalarAt = [a, b].findIndex((value) => scalarOf(value) !== undefined);
  for (const [value, other] of [[a, b] as const, [b, a] as const]) {
    if (other.kind === 'constant' && normalise(network, node, value, other.constant)) return;
  }
  if (scalarAt >= 0) {
    scale(network, node, 1 - scalarAt, scalarOf([a, b][scalarAt]) as number);
    return;
  }
  for (const [value, other] of [[a, b] as const, [b, a] as const])
    if (
      value.kind === 'layer' &&
      other.kind === 'constant' &&
      network.addWeight(value.layer, node, other.constant)
    )
      return;
  for (const [i, value] of [a, b].entries()) {
    if (value.kind !== 'erf + 1') continue;
    const other = [b, a][i];
    const scaled = scaledOf(other);
    if (scaled?.of === value.of && isClose(scaled.factor, 0.5)) {
      network.add(node, 'gelu', [value.of]);
      return;
    }
    if (other.kind === 'layer' && other.layer === value.of) {
      network.define(node.output[0], { kind: 'x (erf + 1)', of: value.of });
      return;
    }
  }
  throw network.unsupported(
    node,
    'wgrad has no layer that multiplies two tensors, except x sigmoid(x) and x hardsigmoid(x)',
  );
};

const div: Reader = (network, node) => {
  const constant = network.constantInput(node, 1);
  if (constant && normalise(network, node, network.input(node), constant)) return;
  if (constant?.data.length !== 1) throw network.unsupported(node, 'wgrad has no layer that divides');
  scale(network, node, 0, 1 / constant.data[0]);
};

/** A value times a number: part of GELU or softplus, or else a layer. */
function scale(network: OnnxNetwork, node: NodeProto, i: number, factor: number): void {
  const value = network.input(node, i);
  if (value.kind === 'x (erf + 1)' && isClose(factor, 0.5)) network.add(node, 'gelu', [value.of]);
  else if (value.kind === 'softplus' && isClose(factor * value.beta, 1))
    network.add(node, 'softplus', [value.of], { beta: value.beta });
  else
    network.begin(node, {
      op: 'scale',
      of: network.source(node, i),
      attributes: { factor: rounded(factor) },
      words: 'a product with a constant',
      whole: true,
    });
}

const sub: Reader = (network, node) => {
  const constant = network.constantInput(node, 1);
  if (!constant || !normalise(network, node, network.input(node), constant))
    throw network.unsupported(node, 'wgrad has no layer that subtracts');
};

export const ARITHMETIC: Readers = { Add: add, Sum: add, Sub: sub, Mul: mul, Div: div };
