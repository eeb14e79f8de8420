/** Each op in PyTorch: as a module, and as an expression if it has no state. */
import { ACTIVATIONS } from '../../engine/ops/activation/activations.ts';
import { paddingPair } from '../../base/padding.ts';
import {
  argumentsOf,
  numberOf,
  paddingOf,
  pairOf,
  pairText,
  quoted,
  unsupported,
  type SourceLayer,
} from './source.ts';

/** A number that may differ between blocks of one structure. */
export interface Number {
  value: string;
  /** PyTorch's name of the argument. */
  role: string;
}

const LIBRARY = 'PyTorch';

/** The text after the first arguments of a module: ", kernel_size=3". */
const rest = (...named: Parameters<typeof argumentsOf>[1]): string => {
  const text = argumentsOf([], named);
  return text && `, ${text}`;
};

/**
 * The padding as an argument; undefined if PyTorch has none: its modules pad opposite sides equally, its pooling by no more than
 * half a window, without dilation, and "same" requires stride 1.
 */
function paddingArgument(layer: SourceLayer): string | undefined {
  const { same, ...sides } = paddingOf(layer);
  const stride = pairOf(layer, 'stride', [1, 1]);
  const pair = paddingPair(sides);
  if (same && layer.op === 'conv' && stride.every((step) => step === 1)) return '"same"';
  if (pair === undefined) return undefined;
  const window = pairOf(layer, 'kernelSize', [1, 1]);
  if (layer.op !== 'conv' && pair.some((size, axis) => 2 * size > window[axis])) return undefined;
  return pairText(pair);
}

/** Whether padding is a step before the layer, because its module cannot add it. */
export const padsApart = (layer: SourceLayer): boolean =>
  ['conv', 'max_pool', 'avg_pool'].includes(layer.op) && paddingArgument(layer) === undefined;

/** As F.pad takes them. */
function sidesText(layer: SourceLayer): string {
  const { top, bottom, left, right } = paddingOf(layer);
  return `(${left}, ${right}, ${top}, ${bottom})`;
}

/** The layer's input, with the padding that its module cannot add. */
export function paddedInput(layer: SourceLayer, input: string): string {
  if (!padsApart(layer)) return input;
  const value = layer.op === 'max_pool' ? ', value=float("-inf")' : '';
  return `F.pad(${input}, ${sidesText(layer)}${value})`;
}

/** The mean of windows without their padding, where their module cannot add it. */
export const MEAN_INSIDE = [
  'def mean_inside(x, size, stride, padding):',
  '    # The mean of the values of each window that lie inside the image. padding: left, right, top, bottom.',
  '    sums, counts = (F.avg_pool2d(F.pad(one, padding), size, stride) for one in (x, torch.ones_like(x)))',
  '    return sums / counts',
].join('\n');

const channels = (value: number, role: string): Number => ({ value: String(value), role });

/** A layer as a PyTorch module, in parts; undefined if PyTorch has no such module. */
export function modulePartsOf(layer: SourceLayer): (string | Number)[] | undefined {
  const { op, attributes, inputs, output } = layer;
  const [input] = inputs;
  const bias = ['bias', attributes['bias'] === false ? 'False' : 'True', 'True'] as const;
  switch (op) {
    case 'conv': {
      const groups = numberOf(layer, 'groups', 1);
      const window = pairText(pairOf(layer, 'kernelSize', [1, 1]));
      const more = rest(
        ['stride', pairText(pairOf(layer, 'stride', [1, 1])), '1'],
        ['padding', paddingArgument(layer) ?? '0', '0'],
        ['dilation', pairText(pairOf(layer, 'dilation', [1, 1])), '1'],
      );
      const [from, to] = [channels(input[0], 'in_channels'), channels(output[0], 'out_channels')];
      const grouped = groups === 1 ? [] : [', groups=', channels(groups, 'groups')];
      return ['nn.Conv2d(', from, ', ', to, `, ${window}${more}`, ...grouped, `${rest(bias)})`];
    }
    case 'linear':
      return [
        ...['nn.Linear(', channels(input[0], 'in_features'), ', '],
        ...[channels(output[0], 'out_features'), `${rest(bias)})`],
      ];
    case 'batch_norm': {
      const dimensions = input.length === 1 ? 1 : 2;
      const more = rest(
        ['eps', String(numberOf(layer, 'eps', 1e-5)), String(1e-5)],
        ['momentum', String(numberOf(layer, 'momentum', 0.1)), '0.1'],
      );
      return [`nn.BatchNorm${dimensions}d(`, channels(input[0], 'out_channels'), `${more})`];
    }
    case 'flatten':
      return ['nn.Flatten()'];
    default: {
      const [module] = STATELESS[op] ?? [];
      return module === undefined ? undefined : [`nn.${module}(${settingsOf(layer, true)})`];
    }
  }
}

/** Ops without state: the module, and the function. */
const STATELESS: Readonly<Record<string, readonly [module: string, call: string]>> = {
  relu: ['ReLU', 'F.relu'],
  leaky_relu: ['LeakyReLU', 'F.leaky_relu'],
  elu: ['ELU', 'F.elu'],
  gelu: ['GELU', 'F.gelu'],
  silu: ['SiLU', 'F.silu'],
  sigmoid: ['Sigmoid', 'torch.sigmoid'],
  tanh: ['Tanh', 'torch.tanh'],
  softplus: ['Softplus', 'F.softplus'],
  dropout: ['Dropout', 'F.dropout'],
  max_pool: ['MaxPool2d', 'F.max_pool2d'],
  avg_pool: ['AvgPool2d', 'F.avg_pool2d'],
  adaptive_avg_pool: ['AdaptiveAvgPool2d', 'F.adaptive_avg_pool2d'],
  adaptive_max_pool: ['AdaptiveMaxPool2d', 'F.adaptive_max_pool2d'],
};

/** A number or a text in Python. */
const literal = (value: unknown): string => (typeof value === 'string' ? quoted(value) : String(value));

/** PyTorch's name of an attribute: "negative_slope" for "negativeSlope". */
const argumentName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Arguments of an op without state. @param module for its module, not its function */
function settingsOf(layer: SourceLayer, module: boolean): string {
  const { op, attributes } = layer;
  const activation = ACTIVATIONS.find(({ name }) => name === op);
  if (activation) {
    const named = Object.entries(activation.defaults).map(
      ([name, value]) => [argumentName(name), literal(attributes[name] ?? value), literal(value)] as const,
    );
    return argumentsOf([], named);
  }
  switch (op) {
    case 'dropout': {
      const p = String(numberOf(layer, 'p', 0.5));
      return module ? p : `${p}, self.training`;
    }
    case 'max_pool':
    case 'avg_pool': {
      const window = pairText(pairOf(layer, 'kernelSize', [1, 1]));
      const counts = attributes['countIncludePad'] === false ? 'False' : 'True';
      return argumentsOf(
        [window],
        [
          ['stride', pairText(pairOf(layer, 'stride', pairOf(layer, 'kernelSize', [1, 1]))), window],
          ['padding', paddingArgument(layer) ?? '0', '0'],
          ['dilation', op === 'max_pool' ? pairText(pairOf(layer, 'dilation', [1, 1])) : '1', '1'],
          ['count_include_pad', op === 'avg_pool' ? counts : 'True', 'True'],
        ],
      );
    }
    case 'adaptive_avg_pool':
    case 'adaptive_max_pool':
      return pairText(pairOf(layer, 'outputSize', [1, 1]));
    default:
      return '';
  }
}

/** In parentheses if an operator could take part of it. */
const operandOf = (expression: string): string =>
  /^[\w.]+(\(.*\))?$/.test(expression) ? expression : `(${expression})`;

/**
 * The expression of an op without state.
 * @throws Failure('unsupported') if no export is defined for this op
 */
export function expressionOf(layer: SourceLayer, inputs: readonly string[]): string {
  const [first] = inputs;
  switch (layer.op) {
    case 'add':
      return inputs.join(' + ');
    case 'concat':
      return `torch.cat([${inputs.join(', ')}], 1)`;
    case 'flatten':
      return `torch.flatten(${first}, 1)`;
    case 'scale':
      return `${operandOf(first)} * ${numberOf(layer, 'factor', 1)}`;
    case 'maxout':
      return `${operandOf(first)}.unflatten(1, (-1, ${numberOf(layer, 'pieces', 2)})).max(2).values`;
    default: {
      const [, name] = STATELESS[layer.op] ?? [];
      if (name === undefined)
        throw unsupported(layer, LIBRARY, `no export is defined for the op “${layer.op}”`);
      if (layer.op === 'avg_pool' && padsApart(layer) && layer.attributes['countIncludePad'] === false) {
        const window = pairOf(layer, 'kernelSize', [1, 1]);
        const [size, stride] = [window, pairOf(layer, 'stride', window)].map(pairText);
        return `mean_inside(${first}, ${size}, ${stride}, ${sidesText(layer)})`;
      }
      const settings = settingsOf(layer, false);
      return `${name}(${paddedInput(layer, first)}${settings && `, ${settings}`})`;
    }
  }
}
