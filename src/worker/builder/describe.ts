/** What is known of a model while it is being built: shapes and costs as far as they can be known, and every mistake. */
import { IMAGE, spellOut, type LayerData, type Spelt } from '../../base/layers/layer.ts';
import { Failure } from '../../base/result.ts';
import { elements, sameShape, type Shape } from '../../base/shape.ts';
import { MOST } from '../../engine/attributes.ts';
import { problemOf, type ConvAttributes } from '../../engine/ops/conv/index.ts';
import { flops } from '../../engine/ops/conv/problem.ts';
import type { Op } from '../../engine/op.ts';
import { ops } from '../../engine/ops/registry.ts';
import type { AttributeKind, LayerDescription, Mistake, ModelDescription, ModelFile } from '../api.ts';
import { LAYER_KINDS } from './kinds.ts';

/** A mistake before anybody has thought about mends. */
export type PlainMistake = Omit<Mistake, 'mends'>;

export interface PlainDescription {
  layers: LayerDescription[];
  mistakes: PlainMistake[];
}

/** "16 × 32 × 32" */
export const sizesOf = (shape: Shape): string => shape.join(' × ');

/**
 * Goes through the layers; one that does not fit leaves those behind it unknown, and the others are looked at all the
 * same. Without mistakes, the model can be trained.
 */
export function describePlainly(model: Pick<ModelFile, 'layers' | 'input' | 'classes'>): PlainDescription {
  const layers = spellOut(model.layers);
  if (layers.length === 0) {
    return { layers: [], mistakes: [mistakeAt(-1, 'There is no layer yet.', { unfinished: true })] };
  }
  const mistakes: PlainMistake[] = [];
  const found: LayerDescription[] = [];
  const places = new Map<string, number>();
  layers.forEach((layer, i) => {
    const { mistake, description } = describeLayer(layers, i, (name) => {
      if (name === IMAGE) return model.input;
      const place = places.get(name);
      return place === undefined ? undefined : (found[place].output ?? 'unknown');
    });
    if (mistake) mistakes.push(mistake);
    found.push(description);
    if (!places.has(layer.name)) places.set(layer.name, i);
  });
  return { layers: found, mistakes: [...mistakes, ...untaken(layers), ...atTheEnd(model, layers, found)] };
}

/** @param shapeOf what is known of a name: undefined if there is none before this layer */
function describeLayer(
  layers: readonly Spelt[],
  i: number,
  shapeOf: (name: string) => Shape | 'unknown' | undefined,
): { mistake?: PlainMistake; description: LayerDescription } {
  const layer = layers[i];
  const nothing: LayerDescription = { parameters: [], multiplyAdds: 0, activationBytes: 0 };
  const refuse = (
    message: string,
    rest: Partial<PlainMistake> = {},
    known: Partial<LayerDescription> = {},
  ) => ({ mistake: mistakeAt(i, message, rest), description: { ...nothing, ...known } });
  if (layer.name === IMAGE) return refuse(`“${IMAGE}” is the name of the image. Choose another one.`);
  if (layers.slice(0, i).some(({ name }) => name === layer.name))
    return refuse(`There is a layer named “${layer.name}” before it. Choose another name.`);
  const missing = layer.inputs.find((name) => shapeOf(name) === undefined);
  if (missing !== undefined) {
    const later = layers.some(({ name }, j) => j >= i && name === missing);
    return refuse(
      later
        ? `It takes “${missing}”, which comes later.`
        : `It takes “${missing}”, and there is no such layer.`,
      { inputs: [missing] },
    );
  }
  const shapes = layer.inputs.map(shapeOf).filter((shape) => shape !== undefined);
  const inputs = shapes.filter((shape) => shape !== 'unknown');
  if (inputs.length < shapes.length) return { description: nothing };
  const wrong = wrongAttribute(layer);
  if (wrong) return refuse(wrong.message, { attribute: wrong.attribute }, { inputs });
  if (!ops.has(layer.op)) return refuse(`There is no kind of layer named “${layer.op}”.`);
  const op = ops.get(layer.op);
  const [least, most] = op.takes ?? [1, 1];
  if (inputs.length < least || inputs.length > most) {
    const wanted = least === most ? 'one input' : `at least ${least} inputs`;
    return refuse(`It takes ${wanted}, and has ${inputs.length}.`, {}, { inputs });
  }
  const unlike = layer.inputs.filter((_, k) => !fitsBeside(layer.op, inputs[0], inputs[k]));
  if (unlike.length > 0) {
    const found = layer.inputs.map((name, k) => `${sizesOf(inputs[k])} from ${name}`).join(', ');
    const what = layer.op === 'add' ? 'be of one shape' : 'differ in channels only';
    return refuse(`Its inputs have to ${what}. Found ${found}.`, { inputs: unlike }, { inputs });
  }
  try {
    return { description: costs(op, layer, inputs) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return refuse(inWords(error, layer, inputs), { inputs: layer.inputs }, { inputs });
  }
}

/** Whether a join can take `other` beside its first input. */
function fitsBeside(op: string, first: Shape, other: Shape): boolean {
  if (op === 'add') return sameShape(first, other);
  if (op === 'concat') return first.length === other.length && sameShape(first.slice(1), other.slice(1));
  return true;
}

/** The op's own words, without its name in front, and with the common ones said for learners. */
function inWords({ message }: Failure, { op }: LayerData, [input]: readonly Shape[]): string {
  if (op === 'linear' && input.length > 1)
    return `It takes a row of numbers, and gets images of ${sizesOf(input)}.`;
  if (input.length === 1 && /images \[N|shape \[N, C, H, W\]/.test(message))
    return `It takes images, and gets a row of ${input[0]} numbers.`;
  const words = message.replace(/^\w+: /, '');
  return `${words[0].toUpperCase()}${words.slice(1)}.`;
}

/** @throws Failure('bad-input') */
function costs(op: Op<unknown>, layer: LayerData, inputs: readonly Shape[]): LayerDescription {
  const attributes = layer.attributes ?? {};
  const [input, ...others] = inputs.map((shape) => [1, ...shape]);
  const output = op.outputShape(attributes, input, ...others).slice(1);
  const parameters = op.parameters?.(attributes, input).map(({ name, shape }) => ({ name, shape })) ?? [];
  const problem = layer.op === 'conv' ? problemOf(attributes as unknown as ConvAttributes, input) : undefined;
  const products = layer.op === 'linear' ? elements(input) * elements(output) : 0;
  return {
    inputs,
    output,
    parameters,
    multiplyAdds: problem ? flops(problem) / 2 : products,
    activationBytes: op.isView ? 0 : 4 * elements(output),
    ...(problem ? { problem } : {}),
  };
}

/** What no layer takes, but for the last. */
const untaken = (layers: readonly Spelt[]): PlainMistake[] => {
  const taken = new Set(layers.flatMap(({ inputs }) => inputs));
  return layers.flatMap(({ name }, i) =>
    i < layers.length - 1 && !taken.has(name) ? mistakeAt(i, 'No layer takes what it puts out.') : [],
  );
};

/** Whether there is one plain number a class in the end. */
function atTheEnd(
  { classes }: Pick<ModelFile, 'classes'>,
  layers: readonly Spelt[],
  found: readonly LayerDescription[],
): PlainMistake[] {
  const last = layers.length - 1;
  const { output } = found[last];
  if (!output) return [];
  if (!sameShape(output, [classes])) {
    const wanted = `The network has to end with ${classes} numbers, one a class`;
    return [mistakeAt(last, `${wanted}. So far it ends with ${sizesOf(output)}.`, { unfinished: true })];
  }
  // Views do not change numbers.
  let end = last;
  while (layers[end].op === 'flatten' && layers[end].inputs[0] === layers[end - 1]?.name) end--;
  if (layers[end].op === 'relu') {
    return [mistakeAt(end, 'It cuts answers off at zero: a network ends with plain numbers, one a class.')];
  }
  return [];
}

/** The first attribute that cannot be what it is. */
function wrongAttribute({
  op,
  attributes = {},
}: LayerData): { attribute: string; message: string } | undefined {
  const kinds = LAYER_KINDS.find((kind) => kind.op === op)?.attributes ?? [];
  for (const kind of kinds) {
    const value = attributes[kind.name];
    const optional = 'follows' in kind || kind.kind === 'switch' || kind.default !== undefined;
    if (value === undefined && optional) continue;
    const expected = whatElse(kind, value);
    if (expected === undefined) continue;
    const found = value === undefined ? 'nothing' : JSON.stringify(value);
    return { attribute: kind.name, message: `${kind.title}: expected ${expected}, found ${found}.` };
  }
  return undefined;
}

/** What an attribute should be, in words, if it is something else. */
function whatElse(kind: AttributeKind, value: unknown): string | undefined {
  const isWhole = (one: unknown, least: number) => Number.isSafeInteger(one) && (one as number) >= least;
  switch (kind.kind) {
    case 'whole':
      return isWhole(value, kind.least) ? undefined : `a whole number of at least ${kind.least}`;
    case 'pair':
      return Array.isArray(value) && value.length === 2 && value.every((one) => isWhole(one, kind.least))
        ? undefined
        : `two whole numbers of at least ${kind.least}`;
    case 'number': {
      const { least, most, above } = kind;
      const enough = typeof value === 'number' && (above ? value > least : value >= least);
      if (enough && value <= most) return undefined;
      if (above) return `a number above ${least}`;
      return most === MOST ? 'a number' : `a number from ${least} to ${most}`;
    }
    case 'switch':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'choice':
      return kind.options.includes(value as string) ? undefined : `one of ${kind.options.join(', ')}`;
  }
}

const mistakeAt = (layer: number, message: string, rest: Partial<PlainMistake> = {}): PlainMistake => ({
  layer,
  message,
  unfinished: false,
  ...rest,
});

/** @param mendsOf what would make a mistake go away */
export function describeWith(
  model: ModelFile,
  mendsOf: (mistake: PlainMistake, known: PlainDescription) => Mistake['mends'],
): ModelDescription {
  const known = describePlainly(model);
  return {
    layers: known.layers,
    mistakes: known.mistakes.map((mistake) => ({ ...mistake, mends: mendsOf(mistake, known) })),
  };
}
