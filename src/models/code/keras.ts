/** A model as a program for Keras 3: the functional API, with channels last. */
import { paddingPair, type Padding } from '../../base/padding.ts';
import { elements, type Pair } from '../../base/shape.ts';
import type { Model } from '../model.ts';
import {
  argumentsOf,
  className,
  heading,
  numberOf,
  paddingOf,
  pairOf,
  pairText,
  quoted,
  softplusThreshold,
  sourceLayers,
  unsupported,
  variable,
  type SourceLayer,
} from './source.ts';

/**
 * The model as Python text that requires only Keras. It computes the same values from the same weights; Keras stores
 * filters as [R, S, C, K] and uses its own names for weights.
 * @throws Failure('bad-input') if the layers do not fit together, 'unsupported' for ops without a Keras layer
 */
export function kerasCode(model: Model): string {
  const layers = sourceLayers(model);
  const [C, H, W] = model.input;
  const lines = ['inputs = x = keras.Input((' + [H, W, C].join(', ') + '))', ...bodyOf(layers, model)];
  const name = functionName(model);
  const used = (word: string) => lines.some((line) => line.includes(word));
  const initializers = Object.entries(INITIALIZERS)
    .filter(([own]) => used(`${own}(`) || (own === 'by_fan_in' && used('dirac(')))
    .map(([own, text]) => `def ${own}(${text}\n\n\n`);
  const imports = [...(used('layers.') ? ['layers'] : []), ...(used('ops.') ? ['ops'] : [])];
  return `${heading(model)}
import keras
${imports.length > 0 ? `from keras import ${imports.join(', ')}\n` : ''}

${initializers.join('')}def ${name}():
${lines.map((line) => `    ${line}`).join('\n')}
    return keras.Model(inputs, x)


if __name__ == "__main__":
    ${name}().summary()
`;
}

/** The function that makes the model. */
const functionName = ({ title }: Model): string => className(title, 'Network').toLowerCase();

/**
 * A program beside `model.py`, which is the model as `kerasCode` writes it: it gives it the weights of a safetensors file.
 * @param file the name of the weights' file
 * @param normalisation of pixels in [0, 1], if it is known
 */
export function kerasLoader(
  model: Model,
  file: string,
  normalisation?: { mean: readonly number[]; std: readonly number[] },
): string {
  const name = functionName(model);
  const list = (values: readonly number[]) => `[${values.join(', ')}]`;
  const images = normalisation
    ? 'normalised: (pixels - MEAN) / STD, with pixels from 0 to 1'
    : 'normalised as in training';
  const renamed = [...namesInKeras(model.layers)].filter(([own, called]) => called !== plainly(own));
  const others = renamed.map(([own, called]) => `${quoted(own)}: ${quoted(called)}`).join(', ');
  const [exceptions, called] =
    renamed.length === 0
      ? ['', "layer.replace('.', '_')"]
      : [
          `\n# Layers whose names with _ for dots are those of others.\nRENAMED = {${others}}`,
          "RENAMED.get(layer, layer.replace('.', '_'))",
        ];
  // Keras saves no initialisers of one's own.
  const forgetting =
    model.weightsInit === 'dirac'
      ? `
            if hasattr(layer, "kernel_initializer"):
                layer.kernel_initializer = keras.initializers.Zeros()  # so that saved models load without model.py`
      : '';
  const constants = normalisation
    ? `\nMEAN = ${list(normalisation.mean)}\nSTD = ${list(normalisation.std)}`
    : '';
  return `"""load() returns the model with its weights. Images are [N, H, W, C], ${images}."""
import json
from pathlib import Path

${forgetting === '' ? '' : 'import keras\n'}import numpy as np

from model import ${name}
${constants}
WEIGHTS = Path(__file__).with_name(${quoted(file)})
# In the order of a Keras layer's weights.
NAMES = ["weight", "bias", "running_mean", "running_var"]${exceptions}


def tensors_in(path):
    """The tensors of a safetensors file by their names, in which layers are written as in model.py: with _ for dots."""
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    header = json.loads(data[8:start])
    header.pop("__metadata__", None)
    tensors = {}
    for name, about in header.items():
        first, last = about["data_offsets"]
        layer, _, own = name.rpartition(".")
        tensor = np.frombuffer(data[start + first : start + last], "<f4").reshape(about["shape"])
        tensors[f"{${called}}.{own}"] = tensor
    return tensors


def as_in_keras(values, shape):
    """A PyTorch tensor in the layout of Keras, whose weight has this shape."""
    if values.ndim == 2:
        return values.T
    if values.ndim == 4 and values.shape[1] == 1 and shape[2:] != (1, values.shape[0]):
        # Depthwise: [K, 1, R, S] as [R, S, C, K / C].
        return values.reshape(shape[2], shape[3], *shape[:2]).transpose(2, 3, 0, 1)
    return values.transpose(2, 3, 1, 0) if values.ndim == 4 else values


def load(path=WEIGHTS):
    model = ${name}()
    tensors = tensors_in(path)
    for layer in model.layers:
        names = [f"{layer.name}.{name}" for name in NAMES]
        own = [tensors[name] for name in names if name in tensors]
        shapes = [tuple(weight.shape) for weight in layer.weights]
        if own:
            layer.set_weights([as_in_keras(*pair) for pair in zip(own, shapes, strict=True)])${forgetting}
    return model


if __name__ == "__main__":
    load().save("model.keras")
`;
}

/** Layers' names in Keras, whose backend PyTorch takes no dots: those with dots give way to those without. */
function namesInKeras(layers: readonly { name: string }[]): ReadonlyMap<string, string> {
  const names = layers.map(({ name }) => name);
  const taken = new Set(names.filter((name) => !name.includes('.')));
  return new Map(
    names.map((name) => {
      const plain = plainly(name);
      let own = plain;
      if (plain !== name) for (let n = 2; taken.has(own); n++) own = `${plain}_${n}`;
      taken.add(own);
      return [name, own];
    }),
  );
}

const plainly = (name: string): string => name.replaceAll('.', '_');

function bodyOf(layers: readonly SourceLayer[], { weightsInit = 'kaiming_uniform' }: Model): string[] {
  const called = namesInKeras(layers);
  const left = new Map<number, number>();
  for (const { sources } of layers) for (const one of sources) left.set(one, (left.get(one) ?? 0) + 1);
  const names = new Map([[-1, 'x']]);
  return layers.flatMap((layer, i) => {
    const inputs = layer.sources.map((source) => names.get(source) as string);
    for (const source of layer.sources) {
      const now = (left.get(source) ?? 0) - 1;
      left.set(source, now);
      if (now === 0) names.delete(source);
    }
    const last = i === layers.length - 1;
    const name = last ? 'x' : variable(new Set(names.values()));
    names.set(i, name);
    const steps = stepsOf(layer, called.get(layer.name) as string, inputs, startOf(layer, weightsInit));
    const lines = steps.map((text, k) => {
      // Preparations for a layer use the layer's variable.
      const expression = k === 0 ? text : text.replaceAll('\0', name);
      return `${name} = ${expression}`;
    });
    return countsZerosInPyTorch(layer)
      ? ["# Means without the padding; Keras's backend PyTorch counts its zeros.", ...lines]
      : lines;
  });
}

type Named = readonly (readonly [name: string, value: string, byDefault: string])[];

/** Initialisers without a short name in Keras: each layer gets its own, because a reused one repeats its values. */
const INITIALIZERS = {
  by_fan_in: `):
    return keras.initializers.VarianceScaling(1 / 3, "fan_in", "uniform")`,
  by_fan_out: `):
    return keras.initializers.VarianceScaling(2.0, "fan_out", "untruncated_normal")`,
  dirac: `groups=1):
    def start(shape, dtype=None):
        values = keras.ops.convert_to_numpy(by_fan_in()(shape, dtype)).copy()
        rows, columns, channels, filters = shape
        for k in range(filters):
            channel = k % (filters // groups)
            if channel < channels:
                values[..., k] = 0
                values[rows // 2, columns // 2, channel, k] = 1
        return keras.ops.convert_to_tensor(values)

    return start`,
};

/** The initialiser, as an argument. */
function startOf(layer: SourceLayer, init: NonNullable<Model['weightsInit']>): Named {
  const { op } = layer;
  const starts = {
    kaiming_uniform: 'by_fan_in()',
    kaiming_normal: op === 'conv' ? 'by_fan_out()' : 'by_fan_in()',
    kaiming_normal_fan_in: 'keras.initializers.VarianceScaling(2.0, "fan_in", "untruncated_normal")',
    xavier_uniform: '"glorot_uniform"',
    xavier_normal: '"glorot_normal"',
    dirac:
      op === 'conv'
        ? `dirac(${argumentsOf([], [['groups', String(numberOf(layer, 'groups', 1)), '1']])})`
        : 'by_fan_in()',
  };
  return [['kernel_initializer', starts[init], '"glorot_uniform"']];
}

/** Expressions for a layer, each applied to the one before it, written \0. */
function stepsOf(layer: SourceLayer, name: string, inputs: readonly string[], start: Named): string[] {
  const { op, attributes, output } = layer;
  const [first] = inputs;
  const [input] = layer.inputs;
  const called = (kind: string, positional: readonly string[], named: Named, of: string) =>
    `layers.${kind}(${argumentsOf(positional, [...named, ['name', quoted(name), '']])})(${of})`;
  const simple = (kind: string, named: Named = [], positional: readonly string[] = []) => [
    called(kind, positional, named, first),
  ];
  const activation = (kind: string) => simple('Activation', [], [quoted(kind)]);
  const bias = ['use_bias', attributes['bias'] === false ? 'False' : 'True', 'True'] as const;
  switch (op) {
    case 'conv': {
      const window = pairOf(layer, 'kernelSize', [1, 1]);
      const stride = pairOf(layer, 'stride', [1, 1]);
      const dilation = pairOf(layer, 'dilation', [1, 1]);
      if (dilation.some((size) => size > 1) && stride.some((size) => size > 1))
        throw unsupported(layer, 'Keras', 'its convolutions have either a stride or a dilation, not both');
      const { before, padding, of } = padded(layer, first, window, stride, dilation, '0.0');
      const groups = numberOf(layer, 'groups', 1);
      const common: Named = [
        ['strides', pairText(stride), '1'],
        ['padding', padding, '"valid"'],
        ['dilation_rate', pairText(dilation), '1'],
      ];
      const [kernel] = start;
      if (groups > 1 && groups === input[0]) {
        const each: Named = [
          ['depth_multiplier', String(output[0] / groups), '1'],
          bias,
          ['depthwise_initializer', kernel[1], kernel[2]],
        ];
        return [...before, called('DepthwiseConv2D', [pairText(window)], [...common, ...each], of)];
      }
      const all: Named = [...common, ['groups', String(groups), '1'], bias, kernel];
      return [...before, called('Conv2D', [String(output[0]), pairText(window)], all, of)];
    }
    case 'linear':
      return simple('Dense', [bias, ...start], [String(output[0])]);
    case 'batch_norm':
      // Keras's momentum is the share that stays, PyTorch's the share that a batch adds.
      return simple('BatchNormalization', [
        ['momentum', String(Number((1 - numberOf(layer, 'momentum', 0.1)).toPrecision(12))), '0.99'],
        ['epsilon', String(numberOf(layer, 'eps', 1e-5)), '0.001'],
      ]);
    case 'relu':
      return simple('ReLU');
    case 'leaky_relu':
      return simple('LeakyReLU', [['negative_slope', String(numberOf(layer, 'negativeSlope', 0.01)), '0.3']]);
    case 'elu':
      return simple('ELU', [['alpha', String(numberOf(layer, 'alpha', 1)), '1']]);
    case 'gelu':
      return [`ops.gelu(${first}, approximate=${attributes['approximate'] === 'tanh' ? 'True' : 'False'})`];
    case 'silu':
    case 'sigmoid':
    case 'tanh':
      return activation(op);
    case 'softplus': {
      const beta = numberOf(layer, 'beta', 1);
      const threshold = softplusThreshold(layer);
      if (beta === 1 && threshold === undefined) return activation(op);
      const soft = `ops.softplus(${first} * ${beta}) / ${beta}`;
      return threshold === undefined
        ? [soft]
        : [`ops.where(${first} * ${beta} > ${threshold}, ${first}, ${soft})`];
    }
    case 'scale':
      return simple('Rescaling', [], [String(numberOf(layer, 'factor', 1))]);
    case 'dropout':
      return simple('Dropout', [], [String(numberOf(layer, 'p', 0.5))]);
    case 'maxout': {
      const [channels, ...plane] = output;
      const sizes = [...plane, channels, numberOf(layer, 'pieces', 2)];
      return [`ops.max(ops.reshape(${first}, (-1, ${sizes.join(', ')})), axis=-1)`];
    }
    case 'max_pool':
    case 'avg_pool':
      return pooling(layer, first, called);
    case 'adaptive_avg_pool':
    case 'adaptive_max_pool': {
      const kind = op === 'adaptive_avg_pool' ? 'Average' : 'Max';
      const [P, Q] = pairOf(layer, 'outputSize', [1, 1]);
      if (P === 1 && Q === 1)
        return simple(`Global${kind === 'Max' ? 'Max' : 'Average'}Pooling2D`, [['keepdims', 'True', '']]);
      if (input[1] % P !== 0 || input[2] % Q !== 0)
        throw unsupported(layer, 'Keras', `windows of ${P} × ${Q} do not divide ${input[1]} × ${input[2]}`);
      return simple(`${kind}Pooling2D`, [], [pairText([input[1] / P, input[2] / Q])]);
    }
    case 'flatten': {
      // PyTorch's order of values: channels first.
      const apart = input.length === 3 && input[0] > 1 && elements(input.slice(1)) > 1;
      const flat = (of: string) => called('Flatten', [], [], of);
      return apart ? [`layers.Permute((3, 1, 2))(${first})`, flat('\0')] : [flat(first)];
    }
    case 'add':
      return [called('Add', [], [], `[${inputs.join(', ')}]`)];
    case 'concat':
      return [called('Concatenate', [], [], `[${inputs.join(', ')}]`)];
    default:
      throw unsupported(layer, 'Keras', `no export is defined for the op “${op}”`);
  }
}

/** Where JAX and TensorFlow leave the padding out of the mean, as the model does. */
function countsZerosInPyTorch(layer: SourceLayer): boolean {
  if (layer.op !== 'avg_pool' || layer.attributes['countIncludePad'] !== false) return false;
  const { top, bottom, left, right } = paddingOf(layer);
  return top + bottom + left + right > 0;
}

/** Keras's "same" where the model says so or the numbers are equal, otherwise explicit. */
function padded(layer: SourceLayer, of: string, window: Pair, stride: Pair, dilation: Pair, value: string) {
  const { same, ...sides } = paddingOf(layer);
  if (Object.values(sides).every((size) => size === 0)) return { before: [], padding: '"valid"', of };
  const pair = paddingPair(sides);
  const keeps = pair?.every(
    (size, axis) => stride[axis] === 1 && 2 * size === (window[axis] - 1) * dilation[axis],
  );
  if (same || keeps) return { before: [], padding: '"same"', of };
  const { top, bottom, left, right } = sides;
  const before =
    value === '0.0'
      ? zeroPadding(sides, of)
      : `ops.pad(${of}, ((0, 0), (${top}, ${bottom}), (${left}, ${right}), (0, 0)), constant_values=${value})`;
  return { before: [before], padding: '"valid"', of: '\0' };
}

function zeroPadding(sides: Padding, of: string): string {
  const { top, bottom, left, right } = sides;
  const pair = paddingPair(sides);
  return `layers.ZeroPadding2D(${pair ? pairText(pair) : `((${top}, ${bottom}), (${left}, ${right}))`})(${of})`;
}

function pooling(
  layer: SourceLayer,
  first: string,
  called: (kind: string, positional: readonly string[], named: Named, of: string) => string,
): string[] {
  const average = layer.op === 'avg_pool';
  const window = pairOf(layer, 'kernelSize', [1, 1]);
  const stride = pairOf(layer, 'stride', window);
  const dilation = pairOf(layer, 'dilation', [1, 1]);
  if (dilation.some((size) => size > 1)) throw unsupported(layer, 'Keras', 'its pooling has no dilation');
  const counts = layer.attributes['countIncludePad'] !== false;
  const edge = average ? '0.0' : 'float("-inf")';
  const { before, padding, of } = padded(layer, first, window, stride, dilation, edge);
  const own: Named = [
    ['strides', pairText(stride), pairText(window)],
    ['padding', padding, '"valid"'],
  ];
  if (average && padding === '"same"' && counts) {
    // Keras's "same" excludes the zeros from the mean.
    const valid = own.map((one) =>
      one[0] === 'padding' ? (['padding', '"valid"', '"valid"'] as const) : one,
    );
    return [
      zeroPadding(paddingOf(layer), first),
      called('AveragePooling2D', [pairText(window)], valid, '\0'),
    ];
  }
  if (average && before.length > 0 && !counts)
    throw unsupported(layer, 'Keras', 'its padding would count in the mean');
  return [...before, called(average ? 'AveragePooling2D' : 'MaxPooling2D', [pairText(window)], own, of)];
}
