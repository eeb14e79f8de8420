/**
 * Constants, and what exporters leave in the graph to be computed from them: the sizes of a reshape, the pads of a Pad. A
 * size that the graph does not say, N, is NaN, also in what is computed from it.
 */
import { TensorProto_DataType as Type, type NodeProto } from 'onnx-buf';
import { elements, type Shape } from '../../../base/shape.ts';
import { transposed } from '../../../base/transposed.ts';
import type { OnnxNetwork } from '../network.ts';
import { isJustified, isReal } from '../tensors.ts';
import { attributeOf, listOf, wholeOf, type Constant } from '../../../ops/onnx.ts';
import type { Readers } from './reader.ts';

/** Values of a constant that is computed: sizes and axes, not weights. */
const MOST = 256;

type Computed = Pick<Constant, 'shape' | 'data' | 'whole'>;
type Compute = (inputs: readonly Constant[], node: NodeProto, network: OnnxNetwork) => Computed;

/**
 * Computes a node whose inputs are all constants.
 * @returns whether it is such a node
 * @throws Failure if its sizes do not fit
 */
export function computed(network: OnnxNetwork, node: NodeProto): boolean {
  if (!Object.hasOwn(COMPUTE, node.opType)) return false;
  const given = node.input.filter((name) => name !== '');
  const values = given.map((name) => network.input(node, node.input.indexOf(name)));
  const inputs = values.flatMap((value) => (value.kind === 'constant' ? [value.constant] : []));
  if (given.length === 0 || inputs.length < given.length) return false;
  const { shape, data, whole } = COMPUTE[node.opType](inputs, node, network);
  if (!isJustified(shape)) throw network.bad(node, `it computes [${shape.join(', ')}] without values`);
  const name = inputs[0].data === data ? inputs[0].name : node.output[0];
  network.define(node.output[0], { kind: 'constant', constant: { name, shape, data, whole } });
  return true;
}

/** @throws Failure if it has more values than sizes and axes have */
function requireSmall(network: OnnxNetwork, node: NodeProto, count: number): void {
  if (!(count <= MOST))
    throw network.unsupported(node, `it computes ${count} values; expected at most ${MOST}, such as sizes`);
}

const rangeOf = (size: number): number[] => Array.from({ length: size }, (_, i) => i);

/** The axis counted from 0. @throws Failure if there is no such axis */
function axisOf(network: OnnxNetwork, node: NodeProto, axis: number, rank: number): number {
  const found = axis < 0 ? axis + rank : axis;
  if (!(found >= 0 && found < rank)) throw network.bad(node, `there is no axis ${axis} of ${rank}`);
  return found;
}

/** The slices of a constant at these places of an axis, in this order. */
function taken(
  { shape, data, whole }: Computed,
  axis: number,
  places: readonly number[],
  network: OnnxNetwork,
  node: NodeProto,
): Computed {
  const outer = elements(shape.slice(0, axis));
  const inner = elements(shape.slice(axis + 1));
  requireSmall(network, node, outer * inner * places.length);
  const values = rangeOf(outer).flatMap((o) =>
    places.flatMap((place) => [...data.subarray((o * shape[axis] + place) * inner).subarray(0, inner)]),
  );
  return { shape: shape.with(axis, places.length), data: Float32Array.from(values), whole };
}

const gather: Compute = ([from, index], node, network) => {
  const axis = axisOf(network, node, wholeOf(node, 'axis', 0), from.shape.length);
  if (index.shape.length > 1) throw network.unsupported(node, 'expected indices with at most one dimension');
  requireSmall(network, node, index.data.length);
  const size = from.shape[axis];
  const places = [...index.data].map((at) => (at < 0 ? at + size : at));
  if (!places.every((at) => at >= 0 && at < size)) throw network.bad(node, 'an index is out of range');
  const found = taken(from, axis, places, network, node);
  return index.shape.length === 0 ? { ...found, shape: from.shape.toSpliced(axis, 1) } : found;
};

/** Starts, ends, axes and steps are attributes up to version 9, then inputs. */
const slice: Compute = ([from, ...inputs], node, network) => {
  const [starts, ends, axes = rangeOf(from.shape.length), steps] =
    inputs.length > 0
      ? inputs.map(({ data }) => [...data])
      : [listOf(node, 'starts') ?? [], listOf(node, 'ends') ?? [], listOf(node, 'axes')];
  if (starts.length > from.shape.length)
    throw network.bad(node, `expected at most ${from.shape.length} starts, found ${starts.length}`);
  let found: Computed = from;
  for (const [i, start] of starts.entries()) {
    const axis = axisOf(network, node, axes[i], found.shape.length);
    const size = found.shape[axis];
    const step = steps?.[i] ?? 1;
    const [least, most] = step > 0 ? [0, size] : [-1, size - 1];
    const place = (at: number) => Math.min(Math.max(at < 0 ? at + size : at, least), most);
    const [first, end] = [place(start), place(ends[i])];
    const count = Math.max(0, Math.ceil((end - first) / step));
    if (!Number.isInteger(count)) throw network.bad(node, 'expected integers as starts, ends and steps');
    requireSmall(network, node, count);
    found = taken(
      found,
      axis,
      rangeOf(count).map((n) => first + n * step),
      network,
      node,
    );
  }
  return found;
};

const concat: Compute = (inputs, node, network) => {
  const [{ shape, whole }] = inputs;
  const axis = axisOf(network, node, wholeOf(node, 'axis', 0), shape.length);
  const rest = (sizes: Shape) => sizes.toSpliced(axis, 1).join();
  if (inputs.some((one) => one.shape.length !== shape.length || rest(one.shape) !== rest(shape)))
    throw network.bad(node, 'its inputs have incompatible shapes');
  requireSmall(
    network,
    node,
    inputs.reduce((sum, { data }) => sum + data.length, 0),
  );
  const outer = elements(shape.slice(0, axis));
  const values = rangeOf(outer).flatMap((o) =>
    inputs.flatMap(({ data }) => [...data.slice((o * data.length) / outer, ((o + 1) * data.length) / outer)]),
  );
  const size = inputs.reduce((sum, one) => sum + one.shape[axis], 0);
  return { shape: shape.with(axis, size), data: Float32Array.from(values), whole };
};

const transpose: Compute = ([{ shape, data, whole }], node, network) => {
  const order = listOf(node, 'perm') ?? rangeOf(shape.length).toReversed();
  if (order.toSorted((a, b) => a - b).join() !== rangeOf(shape.length).join())
    throw network.bad(
      node,
      `expected an order of ${shape.length} axes, found [${order.slice(0, 9).join(', ')}]`,
    );
  requireSmall(network, node, data.length);
  return { shape: order.map((axis) => shape[axis]), data: transposed(data, shape, order), whole };
};

const arithmetic =
  (compute: (a: number, b: number) => number): Compute =>
  ([a, b], node, network) => {
    const spreads = (one: Constant, over: Constant) =>
      one.data.length === 1 && one.shape.length <= over.shape.length;
    const larger = spreads(a, b) ? b : a;
    if (!spreads(a, b) && !spreads(b, a) && a.shape.join() !== b.shape.join())
      throw network.unsupported(node, 'expected two constants of the same shape, or one with a single value');
    requireSmall(network, node, larger.data.length);
    const of = ({ data }: Constant, i: number) => data[data.length === 1 ? 0 : i];
    const whole = a.whole && b.whole;
    const values = larger.data.map((_, i) => compute(of(a, i), of(b, i)));
    return { shape: larger.shape, data: whole ? values.map(Math.trunc) : values, whole };
  };

const reshape: Compute = ([constant, sizes], node, network) => {
  const wanted = sizes ? [...sizes.data] : (listOf(node, 'shape') ?? []);
  if (wanted.length > 8) throw network.bad(node, `expected at most 8 dimensions, found ${wanted.length}`);
  const known = wanted.map((size, i) => (size === 0 ? constant.shape[i] : size));
  const rest = known.filter((size) => size !== -1).reduce((product, size) => product * size, 1);
  const shape = known.map((size) => (size === -1 ? constant.data.length / rest : size));
  if (shape.some((size) => !Number.isInteger(size)) || elements(shape) !== constant.data.length)
    throw network.bad(node, 'the constant does not fit its new shape');
  return { ...constant, shape };
};

const axesOf = (node: NodeProto, axes: Constant | undefined): number[] | undefined =>
  axes ? [...axes.data] : listOf(node, 'axes');

const squeeze: Compute = ([constant, given], node, network) => {
  const { shape } = constant;
  const axes = axesOf(node, given)?.map((axis) => axisOf(network, node, axis, shape.length));
  if (axes?.some((axis) => shape[axis] !== 1)) throw network.bad(node, 'expected its axes to have size 1');
  const stays = (size: number, axis: number) => (axes ? !axes.includes(axis) : size !== 1);
  return { ...constant, shape: shape.filter(stays) };
};

const unsqueeze: Compute = ([constant, given], node, network) => {
  const axes = axesOf(node, given) ?? [];
  const rank = constant.shape.length + axes.length;
  if (rank > 8) throw network.bad(node, `expected at most 8 dimensions, found ${rank}`);
  const shape = [...constant.shape];
  const places = axes.map((axis) => axisOf(network, node, axis, rank));
  for (const axis of places.toSorted((a, b) => a - b)) shape.splice(axis, 0, 1);
  return { ...constant, shape };
};

const cast: Compute = ([constant], node, network) => {
  const whole = !isReal(wholeOf(node, 'to', Type.FLOAT) as Type);
  if (!whole || constant.whole) return { ...constant, whole };
  requireSmall(network, node, constant.data.length);
  return { ...constant, data: constant.data.map(Math.trunc), whole };
};

const constantOfShape: Compute = ([sizes], node, network) => {
  const shape = [...sizes.data];
  const count = shape.reduce((product, size) => product * size, 1);
  requireSmall(network, node, shape.length);
  requireSmall(network, node, count);
  if (!shape.every((size) => Number.isInteger(size) && size >= 0))
    throw network.bad(node, `expected dimensions of at least 0, found [${shape.slice(0, 9).join(', ')}]`);
  const proto = attributeOf(node, 'value')?.t;
  const value = proto && network.tensor(node.output[0], proto);
  const data = new Float32Array(count).fill(value?.data[0] ?? 0);
  return { shape, data, whole: value?.whole ?? false };
};

/** By the operator's name: those that images pass through have a reader besides. */
const COMPUTE: Readonly<Record<string, Compute>> = {
  Gather: gather,
  Slice: slice,
  Concat: concat,
  Transpose: transpose,
  Reshape: reshape,
  Squeeze: squeeze,
  Unsqueeze: unsqueeze,
  Cast: cast,
  ConstantOfShape: constantOfShape,
  Add: arithmetic((a, b) => a + b),
  Sub: arithmetic((a, b) => a - b),
  Mul: arithmetic((a, b) => a * b),
  Div: arithmetic((a, b) => a / b),
};

/** Operators that give constants, whatever their inputs are. */
export const CONSTANTS: Readers = {
  Constant: (network, node) => {
    const value = attributeOf(node, 'value')?.t;
    const ints =
      listOf(node, 'value_ints') ?? (attributeOf(node, 'value_int') ? [wholeOf(node, 'value_int', 0)] : []);
    const floats = attributeOf(node, 'value_float');
    const name = node.output[0];
    const define = (constant: Constant) => network.define(name, { kind: 'constant', constant });
    if (value) define(network.tensor(name, value));
    else if (floats) define({ name, shape: [], data: Float32Array.of(floats.f), whole: false });
    else if (ints.length > 0) {
      const shape = attributeOf(node, 'value_ints') ? [ints.length] : [];
      define({ name, shape, data: Float32Array.from(ints), whole: true });
    } else throw network.unsupported(node, 'expected a tensor or numbers');
  },
  Shape: (network, node) => {
    const sizes = network.sizesOf(node);
    const data = Float32Array.from(
      sizes.slice(wholeOf(node, 'start', 0), wholeOf(node, 'end', sizes.length)),
    );
    const constant = { name: node.output[0], shape: [data.length], data, whole: true };
    network.define(node.output[0], { kind: 'constant', constant });
  },
};
