/** What convolutions and pooling share in other programs: windows, and padding that those lack. */
import { paddingPair, type Padding } from '../base/padding.ts';
import { pairText } from './formats.ts';
import { isPadded, paddingFor, type Windows } from './layer.ts';
import type { TfjsWriting } from './tfjs.ts';

/**
 * The padding as an argument of PyTorch; undefined if it has none: its modules pad opposite sides equally, its pooling by
 * no more than half a window, without dilation, and "same" requires a convolution of stride 1.
 */
export function torchPadding(
  { size, stride, padding, same }: Windows,
  of: 'conv' | 'pooling',
): string | undefined {
  const pair = paddingPair(padding);
  if (same && of === 'conv' && stride.every((step) => step === 1)) return '"same"';
  if (pair === undefined) return undefined;
  if (of === 'pooling' && !isWithinHalf(padding, size)) return undefined;
  return pairText(pair);
}

/** Whether padding is at most half a window, as pooling takes it. */
export const isWithinHalf = ({ top, bottom, left, right }: Padding, [R, S]: readonly number[]): boolean =>
  2 * Math.max(top, bottom) <= R && 2 * Math.max(left, right) <= S;

/** As F.pad takes them. */
export const torchSides = ({ padding: { top, bottom, left, right } }: Windows): string =>
  `(${left}, ${right}, ${top}, ${bottom})`;

/** ONNX's pads are [top, left, bottom, right]. */
export const onnxWindows = ({ size, stride, padding: { top, bottom, left, right } }: Windows) => ({
  kernel_shape: size,
  strides: stride,
  pads: [top, left, bottom, right],
});

/** Whether the padding is that which TensorFlow calls "same". */
export function isSame(windows: Windows): boolean {
  const { top, bottom, left, right } = windows.padding;
  const same = paddingFor(windows, 'same');
  return same.top === top && same.bottom === bottom && same.left === left && same.right === right;
}

/** A layer of TensorFlow.js that pads with zeros. */
export function zeroPadded(
  { graph, layer, inputs }: TfjsWriting,
  { padding: sides }: Windows,
  name = `${layer.name}_pad`,
): string {
  const { top, bottom, left, right } = sides;
  const padding = [
    [top, bottom],
    [left, right],
  ];
  return graph.add('ZeroPadding2D', name, inputs, { padding, data_format: 'channels_last' });
}

/** Keras's "same" where the model says so or the numbers are equal, otherwise explicit. @param value "0.0" or what else pads */
export function kerasPadded(windows: Windows, of: string, value: string) {
  const { size, stride, dilation, padding, same } = windows;
  if (!isPadded(windows)) return { before: [], padding: '"valid"', of };
  const keeps = paddingPair(padding)?.every(
    (rows, axis) => stride[axis] === 1 && 2 * rows === (size[axis] - 1) * dilation[axis],
  );
  if (same || keeps) return { before: [], padding: '"same"', of };
  const before =
    value === '0.0' ? kerasZeros(padding, of) : kerasPad(padding, of, `constant_values=${value}`);
  return { before: [before], padding: '"valid"', of: '\0' };
}

export const kerasPad = ({ top, bottom, left, right }: Padding, of: string, how: string): string =>
  `ops.pad(${of}, ((0, 0), (${top}, ${bottom}), (${left}, ${right}), (0, 0)), ${how})`;

export const kerasZeros = (sides: Padding, of: string): string =>
  `layers.ZeroPadding2D(${kerasSides(sides)})(${of})`;

/** As ZeroPadding2D takes them. */
export function kerasSides(sides: Padding): string {
  const { top, bottom, left, right } = sides;
  const pair = paddingPair(sides);
  return pair ? pairText(pair) : `((${top}, ${bottom}), (${left}, ${right}))`;
}
