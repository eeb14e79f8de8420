/** Changes of shape, constants and the sizes that they are computed from. */
import type { NodeProto } from 'onnx-buf';
import { elements } from '../../../base/shape.ts';
import type { Network } from '../network.ts';
import type { Constant } from '../tensors.ts';
import {
  attributeOf,
  listOf,
  numberOf,
  passOn,
  wholeOf,
  wordOf,
  type Reader,
  type Readers,
} from './reader.ts';

const reshape: Reader = (network, node) => {
  const value = network.input(node);
  const sizes = listOf(node, 'shape') ?? network.wholeInput(node, 1) ?? [];
  if (value.kind === 'constant') {
    defineReshaped(network, node, value.constant, sizes);
    return;
  }
  if (sizes.length === 2) {
    network.add(node, 'flatten', [network.source(node)]);
    return;
  }
  const source = network.source(node);
  const [C, ...plane] = network.shapeOf(source);
  const [, outputs, pieces, ...rest] = sizes;
  if (sizes.length === 3 + plane.length && outputs * pieces === C && rest.join() === plane.join()) {
    network.define(node.output[0], { kind: 'pieces', of: source, pieces });
    return;
  }
  throw network.unsupported(
    node,
    `wgrad has no layer that changes the shape to [${sizes.slice(0, 9).join(', ')}]`,
  );
};

/** A constant in another shape. */
function defineReshaped(
  network: Network,
  node: NodeProto,
  constant: Constant,
  sizes: readonly number[],
): void {
  const known = sizes.map((size, i) => (size === 0 ? constant.shape[i] : size));
  const rest = known.filter((size) => size !== -1).reduce((product, size) => product * size, 1);
  const shape = known.map((size) => (size === -1 ? constant.data.length / rest : size));
  if (elements(shape) !== constant.data.length)
    throw network.bad(node, 'the constant does not fit its new shape');
  network.define(node.output[0], { kind: 'constant', constant: { ...constant, shape } });
}

const flatten: Reader = (network, node) => {
  const axis = wholeOf(node, 'axis', 1);
  if (axis !== 1) throw network.unsupported(node, `expected axis 1, found ${axis}`);
  network.add(node, 'flatten', [network.source(node)]);
};

/** Squeeze of [N, C, 1, 1] is flatten. */
const squeeze: Reader = (network, node) => {
  const value = network.input(node);
  if (value.kind === 'constant') {
    const shape = value.constant.shape.filter((size) => size !== 1);
    network.define(node.output[0], { kind: 'constant', constant: { ...value.constant, shape } });
    return;
  }
  if (value.kind === 'batch') {
    passOn(network, node);
    return;
  }
  const source = network.source(node);
  if (elements(network.shapeOf(source).slice(1)) !== 1)
    throw network.unsupported(node, 'expected height and width of 1');
  network.add(node, 'flatten', [source]);
};

const pad: Reader = (network, node) => {
  const mode = wordOf(node, 'mode', 'constant');
  if (mode !== 'constant') throw network.unsupported(node, `expected mode constant, found ${mode}`);
  const pads = listOf(node, 'pads') ?? network.wholeInput(node, 1) ?? [];
  const fill = network.constantInput(node, 2)?.data[0] ?? numberOf(node, 'value', 0);
  const [n0, c0, top, left, n1, c1, bottom, right] = pads;
  if (pads.length !== 8 || [n0, c0, n1, c1].some((size) => size !== 0) || pads.some((size) => !(size >= 0)))
    throw network.unsupported(
      node,
      `expected pads of rows and columns alone, found [${pads.slice(0, 8).join(', ')}]`,
    );
  const padding = { top, bottom, left, right };
  network.define(node.output[0], { kind: 'padded', of: network.source(node), padding, fill });
};

const concat: Reader = (network, node) => {
  const values = node.input.map((_, i) => network.input(node, i));
  // The sizes of a reshape: N and numbers.
  if (values.some(({ kind }) => kind === 'batch')) {
    const data = values.flatMap((value, i) =>
      value.kind === 'batch' ? [0] : (network.wholeInput(node, i) ?? []),
    );
    const constant = {
      name: node.output[0],
      shape: [data.length],
      data: Float32Array.from(data),
      whole: true,
    };
    network.define(node.output[0], { kind: 'constant', constant });
    return;
  }
  const axis = wholeOf(node, 'axis', 1);
  if (axis !== 1 && axis !== -3) throw network.unsupported(node, `expected axis 1, found ${axis}`);
  network.add(
    node,
    'concat',
    node.input.map((_, i) => network.source(node, i)),
  );
};

/** N, from the sizes of a value. */
const gather: Reader = (network, node) => {
  const index = network.constantInput(node, 1);
  if (network.input(node).kind !== 'sizes' || index?.data[0] !== 0)
    throw network.unsupported(node, 'expected the batch size from Shape');
  network.define(node.output[0], { kind: 'batch' });
};

const constant: Reader = (network, node) => {
  const value = attributeOf(node, 'value')?.t;
  const ints =
    listOf(node, 'value_ints') ?? (attributeOf(node, 'value_int') ? [wholeOf(node, 'value_int', 0)] : []);
  const floats = attributeOf(node, 'value_float');
  if (value)
    network.define(node.output[0], { kind: 'constant', constant: network.tensor(node.output[0], value) });
  else if (floats)
    network.define(node.output[0], {
      kind: 'constant',
      constant: { name: node.output[0], shape: [], data: Float32Array.of(floats.f), whole: false },
    });
  else if (ints.length > 0)
    network.define(node.output[0], {
      kind: 'constant',
      constant: { name: node.output[0], shape: [ints.length], data: Float32Array.from(ints), whole: true },
    });
  else throw network.unsupported(node, 'expected a tensor or numbers');
};

export const SHAPES: Readers = {
  Flatten: flatten,
  Reshape: reshape,
  Squeeze: squeeze,
  Unsqueeze: passOn,
  Pad: pad,
  Concat: concat,
  Constant: constant,
  Identity: passOn,
  Cast: passOn,
  Shape: (network, node) => network.define(node.output[0], { kind: 'sizes' }),
  Gather: gather,
};
