/** The description of an op: its texts on the Build screen, in lists of layers, and in Inspect. Nothing here computes on a device. */
import type { LayerData } from '../base/layers/layer.ts';
import type { Pair } from '../base/shape.ts';
import type { SourceLayer } from './layer.ts';
import type { ReadPattern } from './reads.ts';

/** The groups of the palette, in its order. */
export const LAYER_GROUPS = [
  'Convolution and linear',
  'Activation',
  'Pooling',
  'Normalisation and dropout',
  'Join and reshape',
] as const;
export type LayerGroup = (typeof LAYER_GROUPS)[number];

/** An attribute's texts. Its bounds and default are in attributes.ts. */
export interface AttributeAbout {
  title: string;
  hint: string;
  /** Its name in Inspect's list of settings. Default: its name in model files. */
  short?: string;
  /** Inspect lists it with its default, too. */
  listed?: true;
  /** Its value in new layers. Default: the default. */
  initial?: number | Pair;
  /** It divides the number of input channels, and the values of these attributes. */
  divides?: readonly string[];
}

/** How an output value follows from the values that it reads, in float64. */
export interface Worked {
  /** For people: "the largest of 4 values". */
  formula: string;
  result: number;
  /** What the formula names besides: "bias". */
  constants?: [name: string, value: number][];
  /** The index of the one that a maximum takes. */
  chosen?: number;
}

/** @param values those that it reads @param sum of their products with the weights, or of the values themselves */
export type WorkOut = (given: {
  values: readonly number[];
  sum: number;
  /** The index among them of the one at the output's own place; -1 if that is not read. */
  here: number;
  attributes: SourceLayer['attributes'];
  /** A parameter's or buffer's value for the output's channel, by PyTorch's name. */
  own(name: string): number | undefined;
}) => Worked;

export interface About {
  op: string;
  group: LayerGroup;
  /** The palette lists it before the others of its group. */
  first?: true;
  /** In the palette, where that differs from the title of its layers in other lists. */
  title?: string;
  /** What it does, for people who have never heard of it. */
  everyday: string;
  /** The same precisely, in one or two sentences. */
  explanation: string;
  /** The same of layers whose titles begin so. */
  variants?: Readonly<Record<string, string>>;
  /** The stem of new layers' names: "conv" for conv1, conv2 ... Default: the op's name. */
  stem?: string;
  /** By the attribute's name. */
  attributes?: Readonly<Record<string, AttributeAbout>>;
  /** It changes each value by itself. */
  elementwise?: true;
  /** The attributes that matter most, for a row in a list: "16 filters of 3 × 3". */
  details?(layer: LayerData): (string | false | undefined)[];
  /** Default: `same`. */
  reads?(layer: SourceLayer): ReadPattern;
  /** The values that it reads are multiplied by the output channel's weights, in their order. */
  weighted?: true;
  /** Absent for convolutions, which Inspect explains at more length. */
  workOut?: WorkOut;
}

// Attributes' texts.
export const kernelSize = (initial: Pair): AttributeAbout => ({
  title: 'Kernel size',
  initial,
  short: 'kernel',
  hint: 'Height and width.',
});
export const padding: AttributeAbout = {
  title: 'Padding',
  hint: 'Rows and columns added around the image. “same”: the output’s size is the input’s, divided by the stride and rounded up.',
};
export const dilation: AttributeAbout = { title: 'Dilation', hint: 'Spacing between kernel elements.' };
export const bias: AttributeAbout = {
  title: 'Bias',
  listed: true,
  hint: 'Adds a learned offset per output. Redundant before batch normalisation.',
};
export const eps: AttributeAbout = {
  title: 'Epsilon',
  listed: true,
  hint: 'Added to the variance for numerical stability.',
};

// Details.
/** "3 × 3" */
export const by = (sizes: unknown): string | undefined =>
  Array.isArray(sizes) ? sizes.map(String).join(' × ') : undefined;
/** "2" for equal sizes. */
export const short = (sizes: unknown): string =>
  Array.isArray(sizes) && sizes[0] === sizes[1] ? String(sizes[0]) : (by(sizes) ?? '?');
export const differs = (sizes: unknown, from: number): boolean =>
  Array.isArray(sizes) && sizes.some((size) => size !== from);

// Arithmetic.
export const passed =
  (formula: string): WorkOut =>
  ({ values: [value] }) => ({ formula, result: value });
/** What normalisation makes of x, with a layer's weight and bias if it has them. */
export function normalised(
  x: number,
  [mean, variance]: readonly [mean: number, variance: number],
  { attributes, own }: Pick<Parameters<WorkOut>[0], 'attributes' | 'own'>,
): Worked {
  const { eps: added } = attributes as { eps: number };
  const [weight, offset] = ['weight', 'bias'].map(own);
  return {
    formula: `(x − mean) / √(variance + eps)${weight === undefined ? '' : ' × weight + bias'}`,
    result: ((x - mean) / Math.sqrt(variance + added)) * (weight ?? 1) + (offset ?? 0),
    constants: Object.entries({ mean, variance, eps: added, weight, bias: offset }).filter(
      (one): one is [string, number] => one[1] !== undefined,
    ),
  };
}
export const largest: WorkOut = ({ values }) => {
  const result = Math.max(...values);
  return { formula: `the largest of ${values.length} values`, result, chosen: values.indexOf(result) };
};
