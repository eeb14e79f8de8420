/** Changes of shape. */
import { TensorProto_DataType as Type } from 'onnx-buf';
import { elements } from '../../../base/shape.ts';
import { isReal } from '../tensors.ts';
import { listOf, realOf, wholeOf, wordOf } from '../../../ops/onnx.ts';
import { IMAGES } from '../../draft.ts';
import { passOn, type Reader, type Readers } from './reader.ts';

/** The batch size is not known. */
const shown = (size: number): string => (Number.isNaN(size) ? 'N' : `${size}`);

const reshape: Reader = (network, node) => {
  const sizes = listOf(node, 'shape') ?? network.wholeInput(node, 1) ?? [];
  const isShape = (shape: readonly number[]) =>
    sizes.length === shape.length + 1 && shape.every((size, i) => [size, -1].includes(sizes[i + 1]));
  if (network.readsPixels(node) && isShape(network.shapeOf(IMAGES))) {
    network.define(node.output[0], { kind: 'layer', layer: network.imageSource(node) });
    return;
  }
  const begun = network.begunAt(node, 'group_norm');
  if (begun && 'affine' in begun.attributes && isShape(network.shapeOf(begun.of))) {
    network.add(node, 'group_norm', [begun.of], begun.attributes);
    return;
  }
  const source = network.source(node);
  const shape = network.shapeOf(source);
  const [, outputs, length] = sizes;
  // The first part of group normalisation as PyTorch writes it; that of instances follows, and the shape as it was.
  if (sizes.length === 3 && shape[0] % outputs === 0 && [-1, elements(shape) / outputs].includes(length)) {
    const attributes = { numGroups: outputs };
    network.begin(node, { op: 'group_norm', of: source, attributes, words: 'a change of shape' });
    return;
  }
  if (shape.length === 1 && sizes.length === 2 && (outputs === -1 || outputs === shape[0])) {
    network.define(node.output[0], { kind: 'layer', layer: source });
    return;
  }
  if (sizes.length === 2 && (outputs === -1 || outputs === elements(shape))) {
    network.add(node, 'flatten', [source]);
    return;
  }
  throw network.unsupported(
    node,
    `wgrad has no layer that changes the shape to [${sizes.slice(0, 9).map(shown).join(', ')}]`,
  );
};

/** Squeeze of [N, C, 1, 1] is flatten. */
const squeeze: Reader = (network, node) => {
  const source = network.source(node);
  const axes = (listOf(node, 'axes') ?? network.wholeInput(node, 1))?.map((axis) =>
    axis < 0 ? axis + 4 : axis,
  );
  if ((axes && axes.toSorted().join() !== '2,3') || elements(network.shapeOf(source).slice(1)) !== 1)
    throw network.unsupported(node, 'expected axes 2 and 3, and height and width of 1');
  network.add(node, 'flatten', [source]);
};

const pad: Reader = (network, node) => {
  const mode = wordOf(node, 'mode', 'constant');
  if (mode !== 'constant' && mode !== 'reflect')
    throw network.unsupported(node, `expected mode constant or reflect, found ${mode}`);
  const pads = listOf(node, 'pads') ?? network.wholeInput(node, 1) ?? [];
  const fill = network.constantInput(node, 2)?.data[0] ?? realOf(node, 'value', 0);
  // Version 18 can name the axes.
  const axes = network.wholeInput(node, 3) ?? [0, 1, 2, 3];
  const sides = (axis: number) => {
    const i = axes.findIndex((one) => one === axis || one === axis - 4);
    return i < 0 ? [0, 0] : [pads[i], pads[i + axes.length]];
  };
  const [batch, channels, [top, bottom], [left, right]] = [0, 1, 2, 3].map(sides);
  const known = axes.every((axis) => Number.isInteger(axis) && axis >= -4 && axis < 4);
  if (
    !known ||
    pads.length !== 2 * axes.length ||
    [...batch, ...channels].some((size) => size !== 0) ||
    pads.some((size) => !(size >= 0))
  )
    throw network.unsupported(
      node,
      `expected padding of height and width only, found [${pads.slice(0, 8).join(', ')}]`,
    );
  const padding = { top, bottom, left, right };
  if (pads.every((size) => size === 0)) passOn(network, node);
  else if (mode === 'reflect') network.add(node, 'pad', [network.source(node)], { padding, mode });
  else network.define(node.output[0], { kind: 'padded', of: network.source(node), padding, fill });
};

/** Numbers of other types are float32 here. */
const cast: Reader = (network, node) => {
  const type = wholeOf(node, 'to', Type.FLOAT) as Type;
  if (!isReal(type)) throw network.unsupported(node, 'wgrad has no layer that converts values to integers');
  passOn(network, node);
};

export const SHAPES: Readers = { Reshape: reshape, Squeeze: squeeze, Pad: pad, Identity: passOn, Cast: cast };
