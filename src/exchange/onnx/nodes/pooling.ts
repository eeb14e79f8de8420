/** Pooling, also where it is written as a reduction. */
import type { NodeProto } from 'onnx-buf';
import { SIDES, type Padding } from '../../../base/padding.ts';
import type { OnnxNetwork } from '../network.ts';
import { listOf, wholeOf } from '../../../ops/onnx.ts';
import { isWithinHalf } from '../../../ops/windows.ts';
import type { Reader, Readers } from './reader.ts';
import { added, paddedSource, tidy, windows } from './windows.ts';

const NONE: Padding = { top: 0, bottom: 0, left: 0, right: 0 };

const pool =
  (op: 'max_pool' | 'avg_pool'): Reader =>
  (network, node) => {
    if (node.output.length > 1 && node.output[1] !== '')
      throw network.unsupported(node, 'its indices are used');
    const countsOwn = op === 'max_pool' || wholeOf(node, 'count_include_pad', 0) === 1;
    const size = listOf(node, 'kernel_shape') ?? [];
    const isCeil = wholeOf(node, 'ceil_mode', 0) === 1;
    // Zeros of a node before it count, being values there. They are a layer if they are wide, or others around do not count.
    const [top = 0, left = 0, bottom = 0, right = 0] = listOf(node, 'pads') ?? [];
    const padsOwn = top + left + bottom + right > 0;
    const takes = (before: Padding) =>
      op === 'max_pool' ||
      ((padsOwn ? countsOwn : !isCeil) && isWithinHalf(added(before, { top, left, bottom, right }), size));
    const { source, padding } = paddedSource(network, node, op === 'max_pool' ? -Infinity : 0, takes);
    const own = windows(network, node, size, source);
    const isPadded = (one: Padding | undefined) => one !== undefined && SIDES.some((side) => one[side] > 0);
    // What ceil_mode adds never counts.
    const counted = isPadded(padding) || (countsOwn && (own.padding === 'same' || isPadded(own.padding)));
    const uncounted = op === 'max_pool' || counted ? {} : { countIncludePad: false };
    if (own.padding === 'same') {
      network.add(node, op, [source], { ...tidy(own), ...uncounted });
      return;
    }
    const explicit = padding ? added(own.padding, padding) : own.padding;
    const more = isCeil ? beyond(network.shapeOf(source), { ...own, padding: explicit }) : NONE;
    if (op === 'avg_pool' && counted && more.bottom + more.right > 0)
      throw network.unsupported(
        node,
        'ceil_mode together with padding that counts; export it with ceil_mode 0',
      );
    const all = added(explicit, more);
    const attributes = tidy({ ...own, padding: all });
    network.add(node, op, [source], { ...attributes, ...(isPadded(all) ? uncounted : {}) });
  };

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
function addGlobalPool(network: OnnxNetwork, node: NodeProto, op: string, keeps: boolean): void {
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
    const axes = listOf(node, 'axes') ?? network.wholeInput(node, 1) ?? [];
    const keeps = wholeOf(node, 'keepdims', 1) === 1;
    const sorted = axes.map((axis) => (axis < 0 ? axis + 4 : axis)).sort((a, b) => a - b);
    if (sorted.join() !== '2,3')
      throw network.unsupported(node, `expected axes 2 and 3, found ${axes.join(' and ') || 'none'}`);
    addGlobalPool(network, node, op, keeps);
  };

export const POOLING: Readers = {
  MaxPool: pool('max_pool'),
  AveragePool: pool('avg_pool'),
  GlobalAveragePool: (network, node) => addGlobalPool(network, node, 'adaptive_avg_pool', true),
  GlobalMaxPool: (network, node) => addGlobalPool(network, node, 'adaptive_max_pool', true),
  ReduceMean: reduce('adaptive_avg_pool'),
  ReduceMax: reduce('adaptive_max_pool'),
};
