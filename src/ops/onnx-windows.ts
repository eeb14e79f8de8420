/** How the windows of convolutions and pooling, and their padding, are read from nodes of ONNX. */
import type { NodeProto } from 'onnx-buf';
import { resolvePadding, type Padding } from '../base/padding.ts';
import { listOf, wordOf, type OnnxReading } from './onnx.ts';

/** The windows of a convolution or pooling, as attributes. ONNX's pads are [top, left, bottom, right]. */
export function readWindows(
  network: OnnxReading,
  node: NodeProto,
  kernelSize: readonly number[],
  source: string,
) {
  const pairOf = (name: string): [number, number] => {
    const [vertical, horizontal, ...more] = listOf(node, name) ?? [1, 1];
    if (more.length > 0 || horizontal === undefined)
      throw network.unsupported(node, `expected two ${name}, for images; found ${more.length + 1}`);
    return [vertical, horizontal];
  };
  if (kernelSize.length !== 2)
    throw network.unsupported(
      node,
      `expected windows with two dimensions, as for images; found ${kernelSize.length}`,
    );
  const own = { kernelSize, stride: pairOf('strides'), dilation: pairOf('dilations') };
  const auto = wordOf(node, 'auto_pad', 'NOTSET');
  const pads = listOf(node, 'pads') ?? [0, 0, 0, 0];
  if (auto === 'SAME_UPPER') return { ...own, padding: 'same' as const };
  if (auto === 'SAME_LOWER') {
    const [, ...sides] = network.shapeOf(source);
    const [vertical, horizontal] = sides.map((size, axis) => {
      const { stride, dilation } = own;
      return { size, filter: kernelSize[axis], stride: stride[axis], dilation: dilation[axis] };
    });
    const upper = resolvePadding('same', vertical, horizontal);
    // The odd row or column is before the others.
    return {
      ...own,
      padding: { top: upper.bottom, bottom: upper.top, left: upper.right, right: upper.left },
    };
  }
  if (pads.length !== 4) throw network.bad(node, `expected four pads, found ${pads.length}`);
  const [top, left, bottom, right] = auto === 'VALID' ? [0, 0, 0, 0] : pads;
  return { ...own, padding: { top, bottom, left, right } };
}

/**
 * The input, and the padding of a Pad node before it, unless that becomes a layer of its own.
 * @param fill what the node pads with itself
 * @param takes whether the node can pad so, too
 */
export function paddedSource(
  network: OnnxReading,
  node: NodeProto,
  fill: number,
  takes: (padding: Padding) => boolean = () => true,
): { source: string; padding?: Padding } {
  const pad = network.begunAt(node, 'pad');
  const { padding, value } = (pad?.attributes ?? {}) as { padding: Padding; value: number };
  const isSame = wordOf(node, 'auto_pad', 'NOTSET').startsWith('SAME');
  if (!pad || value !== fill || isSame || !takes(padding)) return { source: network.source(node) };
  return { source: pad.of, padding };
}

export const addedPadding = (a: Padding, b: Padding): Padding => ({
  top: a.top + b.top,
  bottom: a.bottom + b.bottom,
  left: a.left + b.left,
  right: a.right + b.right,
});
