/** How each ONNX operator is read: https://onnx.ai/onnx/operators/ */
import type { NodeProto } from 'onnx-buf';
import { SIDES, type Padding } from '../../base/padding.ts';
import { elements } from '../../base/shape.ts';
import type { Network, Value } from './network.ts';
import type { Constant } from './tensors.ts';

type Reader = (network: Network, node: NodeProto) => void;

// Attributes, with ONNX's defaults.
const attributeOf = (node: NodeProto, name: string) => node.attribute.find((one) => one.name === name);
const wholeOf = (node: NodeProto, name: string, usual: number): number =>
  Number(attributeOf(node, name)?.i ?? usual);
const numberOf = (node: NodeProto, name: string, usual: number): number =>
  rounded(attributeOf(node, name)?.f ?? usual);
const listOf = (node: NodeProto, name: string): number[] | undefined =>
  attributeOf(node, name)?.ints.map(Number);
const wordOf = (node: NodeProto, name: string, usual: string): string => {
  const found = attributeOf(node, name);
  return found ? new TextDecoder().decode(found.s.subarray(0, 100)) : usual;
};

/** The shortest decimal number that is this float32: 0.1 instead of 0.10000000149. */
const rounded = (value: number): number => {
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === Math.fround(value)) return short;
  }
  return value;
};

const isClose = (value: number, wanted: number): boolean =>
  Math.abs(value - wanted) <= 1e-6 * Math.abs(wanted);

/** An operator that is a layer of one input without attributes. */
const layer =
  (op: string): Reader =>
  (network, node) =>
    network.add(node, op, [network.source(node)]);

const passOn: Reader = (network, node) => network.define(node.output[0], network.input(node));

/** The number of a constant that has one value. */
const scalarOf = (value: Value): number | undefined =>
  value.kind === 'constant' && value.constant.data.length === 1 ? value.constant.data[0] : undefined;

/** The windows of a convolution or pooling, as attributes. ONNX's pads are [top, left, bottom, right]. */
function windows(network: Network, node: NodeProto, kernelSize: readonly number[]) {
  const pairOf = (name: string): [number, number] => {
    const [vertical, horizontal, ...more] = listOf(node, name) ?? [1, 1];
    if (more.length > 0 || horizontal === undefined)
      throw network.unsupported(node, `expected two ${name}, for images; found ${more.length + 1}`);
    return [vertical, horizontal];
  };
  if (kernelSize.length !== 2)
    throw network.unsupported(node, `expected windows of two sizes, for images; found ${kernelSize.length}`);
  const own = { kernelSize, stride: pairOf('strides'), dilation: pairOf('dilations') };
  const auto = wordOf(node, 'auto_pad', 'NOTSET');
  const pads = listOf(node, 'pads') ?? [0, 0, 0, 0];
  if (auto === 'SAME_UPPER') return { ...own, padding: 'same' as const };
  if (auto === 'SAME_LOWER') throw network.unsupported(node, 'auto_pad SAME_LOWER; export it with pads');
  if (pads.length !== 4) throw network.bad(node, `expected four pads, found ${pads.length}`);
  const [top, left, bottom, right] = auto === 'VALID' ? [0, 0, 0, 0] : pads;
  return { ...own, padding: { top, bottom, left, right } };
}

/** Attributes without those that have the op's default, and pairs where opposite sides are equal. */
function tidy(
  { padding, stride, dilation, ...rest }: ReturnType<typeof windows> & Readonly<Record<string, unknown>>,
  usualStride: readonly number[],
): Record<string, unknown> {
  const differs = (pair: readonly number[], usual: readonly number[]) =>
    pair.some((size, i) => size !== usual[i]);
  const even = padding !== 'same' && padding.top === padding.bottom && padding.left === padding.right;
  const plain = even ? ([padding.top, padding.left] as const) : padding;
  return {
    ...rest,
    ...(differs(stride, usualStride) ? { stride } : {}),
    ...(Array.isArray(plain) && plain.every((size) => size === 0) ? {} : { padding: plain }),
    ...(differs(dilation, [1, 1]) ? { dilation } : {}),
  };
}

/** The input, and the padding of a Pad node before it. */
function paddedSource(
  network: Network,
  node: NodeProto,
  fill: number,
): { source: string; padding?: Padding } {
  const value = network.input(node);
  if (value.kind !== 'padded') return { source: network.source(node) };
  if (value.fill !== fill)
    throw network.unsupported(node, `its input is padded with ${value.fill}; expected ${fill}`);
  return { source: value.of, padding: value.padding };
}

const added = (a: Padding, b: Padding): Padding => ({
  top: a.top + b.top,
  bottom: a.bottom + b.bottom,
  left: a.left + b.left,
  right: a.right + b.right,
});

const conv: Reader = (network, node) => {
  const weight = network.constantInput(node, 1);
  if (!weight) throw network.bad(node, 'expected weights, found none');
  if (weight.shape.length !== 4)
    throw network.unsupported(
      node,
      `expected weights of four sizes, for images; found ${weight.shape.length}`,
    );
  const { source, padding } = paddedSource(network, node, 0);
  const own = windows(network, node, weight.shape.slice(2));
  if (padding && own.padding === 'same') throw network.unsupported(node, 'its input is padded twice');
  const all = padding && own.padding !== 'same' ? { ...own, padding: added(own.padding, padding) } : own;
  const bias = network.constantInput(node, 2);
  const groups = wholeOf(node, 'group', 1);
  const attributes = {
    outChannels: weight.shape[0],
    ...tidy(all, [1, 1]),
    ...(groups === 1 ? {} : { groups }),
    ...(bias ? {} : { bias: false }),
  };
  network.add(node, 'conv', [source], attributes, { weight, bias });
};

/** A weight matrix as [out, in]. */
const transposed = ({ name, shape: [rows, columns], data, whole }: Constant): Constant => {
  const turned = new Float32Array(data.length);
  for (let i = 0; i < rows; i++)
    for (let j = 0; j < columns; j++) turned[j * rows + i] = data[i * columns + j];
  return { name, shape: [columns, rows], data: turned, whole };
};

function addLinear(network: Network, node: NodeProto, weight: Constant, bias: Constant | undefined): void {
  const [outFeatures] = weight.shape;
  const attributes = { outFeatures, ...(bias ? {} : { bias: false }) };
  network.add(node, 'linear', [network.source(node)], attributes, { weight, bias });
}

const gemm: Reader = (network, node) => {
  const weight = network.constantInput(node, 1);
  const bias = network.constantInput(node, 2);
  if (!weight || weight.shape.length !== 2)
    throw network.unsupported(node, 'expected a constant matrix of weights');
  const plain =
    numberOf(node, 'alpha', 1) === 1 &&
    (!bias || numberOf(node, 'beta', 1) === 1) &&
    wholeOf(node, 'transA', 0) === 0;
  if (!plain) throw network.unsupported(node, 'expected alpha 1, beta 1 and transA 0');
  const matrix = wholeOf(node, 'transB', 0) === 1 ? weight : transposed(weight);
  const [outFeatures] = matrix.shape;
  if (bias && bias.data.length !== outFeatures && bias.data.length !== 1)
    throw network.unsupported(node, `expected a bias of ${outFeatures} values, found ${bias.data.length}`);
  const data = bias && new Float32Array(outFeatures).map((_, i) => bias.data[bias.data.length === 1 ? 0 : i]);
  addLinear(network, node, matrix, bias && data && { ...bias, shape: [outFeatures], data });
};

const matMul: Reader = (network, node) => {
  const weight = network.constantInput(node, 1);
  if (!weight || weight.shape.length !== 2)
    throw network.unsupported(node, 'expected a constant matrix on the right');
  addLinear(network, node, transposed(weight), undefined);
};

const batchNorm: Reader = (network, node) => {
  if (wholeOf(node, 'training_mode', 0) !== 0) throw network.unsupported(node, 'it is in training mode');
  const [weight, bias, mean, variance] = [1, 2, 3, 4].map((i) => network.constantInput(node, i));
  const eps = numberOf(node, 'epsilon', 1e-5);
  const momentum = rounded(1 - numberOf(node, 'momentum', 0.9));
  const attributes = { ...(eps === 1e-5 ? {} : { eps }), ...(momentum === 0.1 ? {} : { momentum }) };
  const parameters = { weight, bias, running_mean: mean, running_var: variance };
  network.add(node, 'batch_norm', [network.source(node)], attributes, parameters);
};

const pool =
  (op: 'max_pool' | 'avg_pool'): Reader =>
  (network, node) => {
    if (node.output.length > 1 && node.output[1] !== '')
      throw network.unsupported(node, 'its indices are used');
    const { source, padding } = paddedSource(network, node, op === 'max_pool' ? -Infinity : 0);
    if (padding && op === 'avg_pool')
      throw network.unsupported(node, 'its input is padded by a node of its own');
    const own = windows(network, node, listOf(node, 'kernel_shape') ?? []);
    const counted = op === 'max_pool' || wholeOf(node, 'count_include_pad', 0) === 1;
    const uncounted = counted ? {} : { countIncludePad: false };
    if (own.padding === 'same') {
      network.add(node, op, [source], { ...tidy(own, own.kernelSize), ...uncounted });
      return;
    }
    const explicit = padding ? added(own.padding, padding) : own.padding;
    const more =
      wholeOf(node, 'ceil_mode', 0) === 1
        ? beyond(network.shapeOf(source), { ...own, padding: explicit })
        : NONE;
    if (op === 'avg_pool' && counted && more.bottom + more.right > 0)
      throw network.unsupported(node, 'ceil_mode with zeros that count; export it with ceil_mode 0');
    const all = added(explicit, more);
    const padded = SIDES.some((side) => all[side] > 0);
    const attributes = tidy({ ...own, padding: all }, own.kernelSize);
    network.add(node, op, [source], { ...attributes, ...(padded ? uncounted : {}) });
  };

const NONE: Padding = { top: 0, bottom: 0, left: 0, right: 0 };

/** The rows and columns that ceil_mode adds at the end: the last window starts inside the image or what is before it. */
function beyond(
  [, H, W]: readonly number[],
  {
    kernelSize,
    stride,
    dilation,
    padding,
  }: Exclude<ReturnType<typeof windows>, { padding: 'same' }> & { padding: Padding },
): Padding {
  const more = (axis: 0 | 1, size: number, before: number, after: number) => {
    const reach = dilation[axis] * (kernelSize[axis] - 1) + 1;
    let last = Math.ceil((size + before + after - reach) / stride[axis]);
    if (last * stride[axis] >= size + before) last--;
    return Math.max(0, last * stride[axis] + reach - (size + before + after));
  };
  const { top, bottom, left, right } = padding;
  return { top: 0, left: 0, bottom: more(0, H, top, bottom), right: more(1, W, left, right) };
}

/** One value a channel; without `keepdims`, as a vector. */
function addGlobalPool(network: Network, node: NodeProto, op: string, keeps: boolean): void {
  const source = network.source(node);
  if (keeps) {
    network.add(node, op, [source], { outputSize: [1, 1] });
    return;
  }
  const pooled = network.addLayer(node.name || op, op, [source], { outputSize: [1, 1] });
  network.define(node.output[0], { kind: 'layer', layer: network.addLayer('flatten', 'flatten', [pooled]) });
}

const reduce =
  (op: string): Reader =>
  (network, node) => {
    const value = network.input(node);
    const axes = listOf(node, 'axes') ?? network.wholeInput(node, 1) ?? [];
    const keeps = wholeOf(node, 'keepdims', 1) === 1;
    if (value.kind === 'pieces' && op === 'adaptive_max_pool' && axes.join() === '2' && !keeps) {
      network.add(node, 'maxout', [value.of], { pieces: value.pieces });
      return;
    }
    const sorted = axes.map((axis) => (axis < 0 ? axis + 4 : axis)).sort((a, b) => a - b);
    if (sorted.join() !== '2,3')
      throw network.unsupported(node, `expected axes 2 and 3, found ${axes.join(' and ') || 'none'}`);
    addGlobalPool(network, node, op, keeps);
  };

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
    `a change of shape to [${sizes.slice(0, 9).join(', ')}] is no layer of wgrad`,
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

/** A constant of one value, or one a channel, [C, 1, 1] or [1, C, 1, 1]. */
function byChannel(network: Network, { shape, data }: Constant): number[] | undefined {
  const [C] = network.shapeOf('input');
  if (data.length === 1) return Array.from({ length: C }, () => data[0]);
  const inner = shape.length < 4 ? shape : shape.slice(1);
  return data.length === C && inner.length === 3 && inner[0] === C ? [...data] : undefined;
}

/** Images minus, plus, times or divided by constants: how they are normalised. @returns whether it was that */
function normalise(network: Network, node: NodeProto, value: Value, constant: Constant): boolean {
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

const add: Reader = (network, node) => {
  const values = node.input.map((_, i) => network.input(node, i));
  const at = values.findIndex(({ kind }) => kind === 'constant');
  if (at < 0) {
    network.add(
      node,
      'add',
      node.input.map((_, i) => network.source(node, i)),
    );
    return;
  }
  const constant = network.constantInput(node, at) as Constant;
  const value = values[1 - at];
  if (values.length === 2 && normalise(network, node, value, constant)) return;
  if (value.kind === 'erf' && constant.data.length === 1 && constant.data[0] === 1) {
    network.define(node.output[0], { kind: 'erf + 1', of: value.of });
    return;
  }
  const alone = network.takersOf(node.input[1 - at]).length === 1;
  if (value.kind === 'layer' && alone && network.addBias(value.layer, node, constant)) return;
  throw network.unsupported(node, 'the sum with a constant is no layer of wgrad, but for biases');
};

const mul: Reader = (network, node) => {
  const [a, b] = [network.input(node, 0), network.input(node, 1)];
  const gate = [a, b].find(({ kind }) => kind === 'gate');
  if (gate?.kind === 'gate') {
    network.add(node, 'silu', [gate.of]);
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
  for (const [i, value] of [a, b].entries()) {
    if (value.kind !== 'erf + 1') continue;
    const other = [b, a][i];
    if (other.kind === 'scaled' && other.of === value.of && isClose(other.factor, 0.5)) {
      network.add(node, 'gelu', [value.of]);
      return;
    }
    if (other.kind === 'layer' && other.layer === value.of) {
      network.define(node.output[0], { kind: 'x (erf + 1)', of: value.of });
      return;
    }
  }
  throw network.unsupported(node, 'the product of two tensors is no layer of wgrad, but for x sigmoid(x)');
};

const div: Reader = (network, node) => {
  const constant = network.constantInput(node, 1);
  if (constant && normalise(network, node, network.input(node), constant)) return;
  if (constant?.data.length !== 1) throw network.unsupported(node, 'division is no layer of wgrad');
  scale(network, node, 0, 1 / constant.data[0]);
};

/** A value times a number: part of GELU or softplus. */
function scale(network: Network, node: NodeProto, i: number, factor: number): void {
  const value = network.input(node, i);
  if (value.kind === 'x (erf + 1)' && isClose(factor, 0.5)) network.add(node, 'gelu', [value.of]);
  else if (value.kind === 'softplus' && isClose(factor * value.beta, 1))
    network.add(node, 'softplus', [value.of], { beta: value.beta });
  else
    network.define(node.output[0], { kind: 'scaled', of: network.source(node, i), factor: rounded(factor) });
}

const sub: Reader = (network, node) => {
  const constant = network.constantInput(node, 1);
  if (!constant || !normalise(network, node, network.input(node), constant))
    throw network.unsupported(node, 'a difference is no layer of wgrad');
};

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
    throw network.unsupported(node, 'the error function is no layer of wgrad, but as part of GELU');
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
    throw network.unsupported(node, 'it is a layer of wgrad only at the end');
  network.note(`The ${node.opType} at the end was left out: networks here end with logits.`);
  passOn(network, node);
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

/** By the operator's name. */
export const READERS: Readonly<Record<string, Reader>> = {
  Conv: conv,
  Gemm: gemm,
  MatMul: matMul,
  BatchNormalization: batchNorm,
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
  MaxPool: pool('max_pool'),
  AveragePool: pool('avg_pool'),
  GlobalAveragePool: (network, node) => addGlobalPool(network, node, 'adaptive_avg_pool', true),
  GlobalMaxPool: (network, node) => addGlobalPool(network, node, 'adaptive_max_pool', true),
  ReduceMean: reduce('adaptive_avg_pool'),
  ReduceMax: reduce('adaptive_max_pool'),
  Flatten: flatten,
  Reshape: reshape,
  Squeeze: squeeze,
  Pad: pad,
  Add: add,
  Sum: add,
  Sub: sub,
  Mul: mul,
  Div: div,
  Concat: concat,
  Softmax: softmax,
  LogSoftmax: softmax,
  Constant: constant,
  Identity: passOn,
  Cast: passOn,
  Shape: (network, node) => network.define(node.output[0], { kind: 'sizes' }),
  Gather: gather,
  Unsqueeze: passOn,
};
