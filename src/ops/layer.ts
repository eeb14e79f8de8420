/** A layer as it is described, written for other programs and explained: its attributes and shapes. */
import { resolvePadding, type Padding, type PaddingSetting } from '../base/padding.ts';
import { Failure } from '../base/result.ts';
import type { Pair, Shape } from '../base/shape.ts';

/** A layer of a valid model, with its inputs. */
export interface SourceLayer {
  name: string;
  op: string;
  attributes: Readonly<Record<string, unknown>>;
  /** Indices of its inputs, -1 for the image. */
  sources: readonly number[];
  /** The shape for one image. */
  inputs: readonly Shape[];
  output: Shape;
  /** It has parameters or buffers, named after it. */
  keeps: boolean;
}

/** An attribute that is a pair, with PyTorch's default. */
export const pairOf = ({ attributes }: SourceLayer, name: string, fallback: Pair): Pair =>
  (attributes[name] as Pair | undefined) ?? fallback;

export const numberOf = ({ attributes }: SourceLayer, name: string, fallback: number): number =>
  (attributes[name] as number | undefined) ?? fallback;

/** The windows of a convolution or pooling. */
export interface Windows {
  size: Pair;
  stride: Pair;
  dilation: Pair;
  padding: Padding;
  /** The model says `same`. */
  same: boolean;
  /** Height and width of the input. */
  image: Pair;
}

/** @param usualStride the default; without it, the windows' size */
export function windowsOf(layer: SourceLayer, usualStride?: Pair): Windows {
  const [[, H, W]] = layer.inputs;
  const size = pairOf(layer, 'kernelSize', [1, 1]);
  const stride = pairOf(layer, 'stride', usualStride ?? size);
  const dilation = pairOf(layer, 'dilation', [1, 1]);
  const setting = (layer.attributes['padding'] as PaddingSetting | undefined) ?? [0, 0];
  const windows = { size, stride, dilation, image: [H, W] } as const;
  return { ...windows, padding: paddingFor(windows, setting), same: setting === 'same' };
}

/** The padding of windows, in numbers. */
export function paddingFor(
  { size, stride, dilation, image }: Omit<Windows, 'padding' | 'same'>,
  setting: PaddingSetting,
): Padding {
  const [vertical, horizontal] = ([0, 1] as const).map((axis) => ({
    size: image[axis],
    filter: size[axis],
    stride: stride[axis],
    dilation: dilation[axis],
  }));
  return resolvePadding(setting, vertical, horizontal);
}

export const isPadded = ({ padding: { top, bottom, left, right } }: Pick<Windows, 'padding'>): boolean =>
  top + bottom + left + right > 0;

export const unsupported = (layer: SourceLayer, where: string, what: string): Failure =>
  new Failure('unsupported', `“${layer.name}” cannot be written for ${where}: ${what}`);

/** Which inputs such windows read, as an `About` says it. */
export const windowReads = ({ size, stride, dilation, padding: { top, left } }: Windows) =>
  ({ kind: 'window', size, stride, start: [-top, -left], dilation }) as const;
