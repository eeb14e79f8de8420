/** A model as a program for Keras 3: the functional API, with channels last. */
import { argumentsOf, quoted, type KerasWriting, type NamedArguments } from '../../ops/formats.ts';
import { numberOf, type SourceLayer } from '../../ops/layer.ts';
import { nonNegativeInputs } from '../../ops/non-negative.ts';
import { FORMATS } from '../../ops/writers.ts';
import type { Model } from '../model.ts';
import { className, heading, sourceLayers, variable } from './source.ts';

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

/** @param called the expression of a layer's name in Keras */
const tensorsIn = (called: string): string => `def tensors_in(path):
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
    return tensors`;

const AS_IN_KERAS = `def as_in_keras(values, shape):
    """A PyTorch tensor in the layout of Keras, whose weight has this shape."""
    if values.ndim == 2:
        return values.T
    if values.ndim == 4 and values.shape[1] == 1 and shape[2:] != (1, values.shape[0]):
        # Depthwise: [K, 1, R, S] as [R, S, C, K / C].
        return values.reshape(shape[2], shape[3], *shape[:2]).transpose(2, 3, 0, 1)
    return values.transpose(2, 3, 1, 0) if values.ndim == 4 else values.reshape(shape)`;

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


${tensorsIn(called)}


${AS_IN_KERAS}


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
  const nonNegative = nonNegativeInputs(layers);
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
    const steps = FORMATS.get(layer.op).keras({
      layer,
      inputs,
      nonNegative: nonNegative[i],
      start: startOf(layer, weightsInit),
      ...callsOf(called.get(layer.name) as string, inputs[0]),
    });
    // Preparations for a layer use the layer's variable.
    return steps.map((text) => (text.startsWith('#') ? text : `${name} = ${text.replaceAll('\0', name)}`));
  });
}

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
function startOf(layer: SourceLayer, init: NonNullable<Model['weightsInit']>): NamedArguments[number] {
  const { op } = layer;
  const starts = {
    kaiming_uniform: 'by_fan_in()',
    kaiming_normal: op === 'conv' ? 'by_fan_out()' : 'by_fan_in()',
    kaiming_normal_fan_in: 'keras.initializers.VarianceScaling(2.0, "fan_in", "untruncated_normal")',
    xavier_uniform: '"glorot_uniform"',
    xavier_normal: '"glorot_normal"',
    dirac:
      op === 'conv'
        ? `dirac(${argumentsOf([], [['groups', String(numberOf(layer, 'groups')), '1']])})`
        : 'by_fan_in()',
  };
  return ['kernel_initializer', starts[init], '"glorot_uniform"'];
}

/** How a layer's expressions call the layers of Keras. */
function callsOf(name: string, first: string): Pick<KerasWriting, 'first' | 'called' | 'simple'> {
  const called: KerasWriting['called'] = (kind, positional, named, of) =>
    `layers.${kind}(${argumentsOf(positional, [...named, ['name', quoted(name), '']])})(${of})`;
  const simple: KerasWriting['simple'] = (kind, named = [], positional = []) => [
    called(kind, positional, named, first),
  ];
  return { first, called, simple };
}
