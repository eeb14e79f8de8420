/** A layer as it is described, written for other programs and explained: its attributes and shapes. */
import { resolvePadding, type Padding, type PaddingSetting } from '../base/padding.ts';
import { Failure } from '../base/result.ts';
import type { Pair, Shape } from '../base/shape.ts';
import type { ValuesOf } from './attributes.ts';
import type { maxPool } from './pooling/attributes.ts';

/** A layer of a valid model, with its inputs. */
export interface SourceLayer {
  name: string;
  op: string;
  /** All that its op has. */
  attributes: Readonly<Record<string, unknown>>;
  /** Indices of its inputs, -1 for the image. */
  sources: readonly number[];
  /** The shape for one image. */
  inputs: readonly Shape[];
  output: Shape;
  /** It has parameters or buffers, named after it. */
  keeps: boolean;
}

export const pairOf = ({ attributes }: SourceLayer, name: string): Pair => attributes[name] as Pair;

export const numberOf = ({ attributes }: SourceLayer, name: string): number => attributes[name] as number;

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

const ONE: Pair = [1, 1];

/** Also of an op that has only some of these attributes. */
export function windowsOf({ inputs: [[, H, W]], attributes }: SourceLayer): Windows {
  const given = attributes as Partial<ValuesOf<typeof maxPool>>;
  const { kernelSize: size = ONE, stride = ONE, dilation = ONE, padding = [0, 0] } = given;
  const windows = { size, stride, dilation, image: [H, W] } as const;
  return { ...windows, padding: paddingFor(windows, padding), same: padding === 'same' };
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
