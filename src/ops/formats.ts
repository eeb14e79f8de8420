/** How the layers of an op are written for other programs, and read from them where that takes only such a layer. */
import { defaultOf, type AttributeSpecs } from './attributes.ts';
import { numberOf, type SourceLayer } from './layer.ts';
import type { Onnx } from './onnx.ts';
import type { Tfjs } from './tfjs.ts';

export interface Formats {
  op: string;
  pytorch: Pytorch;
  onnx: Onnx;
  /** Absent if Keras has no such layer. */
  keras?: Keras;
  /** Absent if TensorFlow.js has no such layer. */
  tfjs?: Tfjs;
}

/** A number of a PyTorch module that may differ between blocks of one structure. */
export interface Argument {
  value: string;
  /** PyTorch's name of it: "out_channels". */
  role: string;
}

export interface Pytorch {
  /** A layer as a module, in parts. Absent if PyTorch has no such module. */
  module?(layer: SourceLayer): (string | Argument)[];
  /** A layer as an expression. Absent for ops with parameters. */
  call?(layer: SourceLayer, inputs: readonly string[]): string;
  /** What F.pad takes besides the input, for padding that the module cannot add. */
  pad?(layer: SourceLayer): string | undefined;
  /** Python functions that expressions call, by name. */
  helpers?: Readonly<Record<string, string>>;
  /** It stands alone in a line. */
  heavy?: true;
}

/** Arguments by name, which are left out where they are the default. */
export type NamedArguments = readonly (readonly [name: string, value: string, byDefault: string])[];

export interface KerasWriting {
  layer: SourceLayer;
  /** Expressions for its inputs, and the first of them. */
  inputs: readonly string[];
  first: string;
  /** Whether the first is at least 0 everywhere. */
  nonNegative: boolean;
  /** The initialiser, as an argument. */
  start: NamedArguments[number];
  /** A layer of Keras with this name, applied to an expression. */
  called(kind: string, positional: readonly string[], named: NamedArguments, of: string): string;
  /** One that is applied to the first input alone. */
  simple(kind: string, named?: NamedArguments, positional?: readonly string[]): string[];
}

/** Expressions, each applied to the one before it, written \0. One that begins with # is a comment. */
export type Keras = (writing: KerasWriting) => string[];

/** "3" for a square, else "(3, 5)". */
export const pairText = (pair: readonly number[]): string =>
  pair.every((size) => size === pair[0]) ? String(pair[0]) : `(${pair.join(', ')})`;

/** Text in double quotes, valid in Python and JSON. */
export const quoted = (text: string): string => JSON.stringify(text);

/** A value in Python. */
const literal = (value: unknown): string => {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return typeof value === 'string' ? quoted(value) : String(value);
};

/** Arguments that differ from their defaults: "16, 32, kernel_size=3". */
export const argumentsOf = (positional: readonly string[], named: NamedArguments): string =>
  [
    ...positional,
    ...named.filter(([, value, usual]) => value !== usual).map(([name, value]) => `${name}=${value}`),
  ].join(', ');

/** Arguments after the first ones: ", kernel_size=3". */
export const further = (text: string): string => text && `, ${text}`;
export const furtherArguments = (...named: NamedArguments): string => further(argumentsOf([], named));

export const channels = (value: number, role: string): Argument => ({ value: String(value), role });

/** PyTorch's or Keras's argument for an attribute `bias`. */
export const biasArgument = ({ attributes }: SourceLayer, name: string): NamedArguments[number] => [
  name,
  attributes['bias'] ? 'True' : 'False',
  'True',
];

/**
 * An op without state that PyTorch has as a module and as a function.
 * @param settings their arguments
 */
export const stateless = (
  module: string,
  call: string,
  settings: (layer: SourceLayer, module: boolean) => string = () => '',
): Pytorch & Required<Pick<Pytorch, 'call'>> => ({
  module: (layer) => [`nn.${module}(${settings(layer, true)})`],
  call: (layer, [first]) => {
    const own = settings(layer, false);
    return `${call}(${first}${own && `, ${own}`})`;
  },
});

/** PyTorch's arguments for attributes whose defaults are PyTorch's, where they differ from these: "negative_slope=0.2". */
export const attributeArguments =
  (all: AttributeSpecs) =>
  ({ attributes }: SourceLayer): string =>
    argumentsOf(
      [],
      Object.entries(all).map(([name, attribute]) => [
        name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
        literal(attributes[name]),
        literal(defaultOf(attribute, attributes)),
      ]),
    );

/** In parentheses if an operator could take part of it. */
export const operandOf = (expression: string): string =>
  /^[\w.]+(\(.*\))?$/.test(expression) ? expression : `(${expression})`;

/** A layer `Activation` of Keras. */
export const kerasActivation =
  (name: string): Keras =>
  ({ simple }) =>
    simple('Activation', [], [quoted(name)]);

/** A layer of Keras with one attribute. */
export const kerasLayer =
  (kind: string, ...named: (readonly [name: string, attribute: string, byDefault: number])[]): Keras =>
  ({ layer, simple }) =>
    simple(
      kind,
      named.map(([name, attribute, byDefault]) => [
        name,
        String(numberOf(layer, attribute)),
        String(byDefault),
      ]),
    );
