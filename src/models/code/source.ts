/** Shared by the exporters of source code. */
import { resolvePadding, type Padding, type PaddingSetting } from '../../base/padding.ts';
import { Failure } from '../../base/result.ts';
import type { Shape, Pair } from '../../base/shape.ts';
import { requireClasses, type Model } from '../model.ts';

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

/** @throws Failure('bad-input') if the layers do not fit together */
export const sourceLayers = (model: Model): SourceLayer[] =>
  requireClasses(model).map(({ layer, sources, inputs, output, parameters, buffers }) => ({
    name: layer.name,
    op: layer.op,
    attributes: layer.attributes ?? {},
    sources,
    inputs: inputs.map((shape) => shape.slice(1)),
    output: output.slice(1),
    keeps: parameters.length + buffers.length > 0,
  }));

/** An attribute that is a pair, with PyTorch's default. */
export const pairOf = ({ attributes }: SourceLayer, name: string, fallback: Pair): Pair =>
  (attributes[name] as Pair | undefined) ?? fallback;

/**
 * The value of beta x above which this softplus is x; undefined where that changes nothing that float32 shows, as with
 * PyTorch's 20: other programs have no such threshold.
 */
export function softplusThreshold(layer: SourceLayer): number | undefined {
  const threshold = numberOf(layer, 'threshold', 20);
  return threshold < 15 ? threshold : undefined;
}

/** The padding of a convolution or pooling, in numbers, and whether the model says `same`. */
export function paddingOf(layer: SourceLayer): Padding & { same: boolean } {
  const { op, attributes, inputs } = layer;
  const setting = (attributes['padding'] as PaddingSetting | undefined) ?? [0, 0];
  const window = pairOf(layer, 'kernelSize', [1, 1]);
  const stride = pairOf(layer, 'stride', op === 'conv' ? [1, 1] : window);
  const dilation = pairOf(layer, 'dilation', [1, 1]);
  const [vertical, horizontal] = ([0, 1] as const).map((axis) => ({
    size: inputs[0][1 + axis],
    filter: window[axis],
    stride: stride[axis],
    dilation: dilation[axis],
  }));
  return { ...resolvePadding(setting, vertical, horizontal), same: setting === 'same' };
}

export const numberOf = ({ attributes }: SourceLayer, name: string, fallback: number): number =>
  (attributes[name] as number | undefined) ?? fallback;

/** "3" for a square, else "(3, 5)". */
export const pairText = (pair: readonly number[]): string =>
  pair.every((size) => size === pair[0]) ? String(pair[0]) : `(${pair.join(', ')})`;

/** Text in double quotes, valid in Python and JSON. */
export const quoted = (text: string): string => JSON.stringify(text);

/** Arguments that differ from their defaults: "16, 32, kernel_size=3". */
export const argumentsOf = (
  positional: readonly string[],
  named: readonly (readonly [name: string, value: string, byDefault: string])[],
): string =>
  [
    ...positional,
    ...named.filter(([, value, usual]) => value !== usual).map(([name, value]) => `${name}=${value}`),
  ].join(', ');

/** "LeNet-5" to "LeNet5": a name for a class. */
export function className(title: string, fallback: string): string {
  const words = title
    .normalize('NFKD')
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean);
  const name = words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
  return /^[A-Z]/.test(name) && !['None', 'True', 'False', 'F'].includes(name) ? name : fallback;
}

export const unsupported = (layer: SourceLayer, where: string, what: string): Failure =>
  new Failure('unsupported', `“${layer.name}” cannot be written for ${where}: ${what}`);

/** "# LeNet-5: ...": comments, whatever the user's text. */
export function heading({ title, description }: Model): string {
  const words = `${title}: ${description}`.split(/[\s\p{Cc}\p{Zl}\p{Zp}]+/u).filter(Boolean);
  const lines: string[] = [];
  for (const word of words) {
    const longer = `${lines[lines.length - 1]} ${word}`;
    if (lines.length > 0 && longer.length <= 100) lines[lines.length - 1] = longer;
    else lines.push(`# ${word}`);
  }
  return lines.join('\n');
}

/** The first free one of x, y, z, ... */
export function variable(taken: ReadonlySet<string>): string {
  for (const name of 'xyzuvw') if (!taken.has(name)) return name;
  for (let n = 1; ; n++) if (!taken.has(`x${n}`)) return `x${n}`;
}
