/** Checks a model while it is being built: its shapes and costs as far as they are known, and every error. */
import { IMAGE, spellOut, type LayerData, type Spelt } from '../../base/layers/layer.ts';
import { Failure } from '../../base/result.ts';
import { elements, sameShape, type Shape } from '../../base/shape.ts';
import { completeAttributes, expectedOf, isRequired } from '../../ops/attributes.ts';
import { problemOf, type ConvAttributes } from '../../engine/ops/conv/index.ts';
import { flops } from '../../engine/ops/conv/problem.ts';
import type { Op } from '../../engine/op.ts';
import { ops } from '../../engine/ops/registry.ts';
import type { LayerDescription, ModelError, ModelFile } from '../api.ts';
import { kindOf } from './kinds.ts';

/** What is checked of a layer, in this order: an error hides those of later checks. */
const CHECKS = ['name', 'inputs', 'attributes', 'op', 'count', 'shapes', 'fit', 'use', 'end'] as const;
type CheckName = (typeof CHECKS)[number];

/** An error without fixes. */
export type PlainError = Omit<ModelError, 'fixes'> & { check: CheckName };

/** Whether `other`, of the same layer, shows only once `error` is gone. */
export const isHiddenBy = (error: PlainError, other: PlainError): boolean =>
  CHECKS.indexOf(other.check) > CHECKS.indexOf(error.check) ||
  (error.attribute !== undefined && other.attribute !== error.attribute);

export interface PlainDescription {
  layers: LayerDescription[];
  errors: PlainError[];
}

/** "16 × 32 × 32" */
export const sizesOf = (shape: Shape): string => shape.join(' × ');

/**
 * Infers shapes layer by layer. The output of a layer with an error is unknown, and so are those that depend on it; all
 * others are still checked. A model without errors can be trained.
 */
export function describePlainly(model: Pick<ModelFile, 'layers' | 'input' | 'classes'>): PlainDescription {
  const layers = spellOut(model.layers);
  if (layers.length === 0) {
    return { layers: [], errors: [errorAt(-1, 'end', 'No layers yet.', { incomplete: true })] };
  }
  const errors: PlainError[] = [];
  const found: LayerDescription[] = [];
  const places = new Map<string, number>();
  layers.forEach((layer, i) => {
    const { error, description } = describeLayer(layers, i, (name) => {
      if (name === IMAGE) return model.input;
      const place = places.get(name);
      return place === undefined ? undefined : (found[place].output ?? 'unknown');
    });
    if (error) errors.push(error);
    found.push(description);
    if (!places.has(layer.name)) places.set(layer.name, i);
  });
  return { layers: found, errors: [...errors, ...unused(layers), ...endErrors(model, layers, found)] };
}

/** @param shapeOf the shape of a named output; undefined if no earlier layer has that name */
function describeLayer(
  layers: readonly Spelt[],
  i: number,
  shapeOf: (name: string) => Shape | 'unknown' | undefined,
): { error?: PlainError; description: LayerDescription } {
  const layer = layers[i];
  const nothing: LayerDescription = { parameters: [], multiplyAdds: 0, activationBytes: 0 };
  const refuse = (
    check: CheckName,
    message: string,
    rest: Partial<PlainError> = {},
    known: Partial<LayerDescription> = {},
  ) => ({ error: errorAt(i, check, message, rest), description: { ...nothing, ...known } });
  if (layer.name === IMAGE)
    return refuse('name', `“${IMAGE}” is reserved for the input. Choose another name.`);
  if (layers.slice(0, i).some(({ name }) => name === layer.name))
    return refuse('name', `The name “${layer.name}” is already in use. Choose another.`);
  const missing = layer.inputs.find((name) => shapeOf(name) === undefined);
  if (missing !== undefined) {
    const later = layers.some(({ name }, j) => j >= i && name === missing);
    return refuse(
      'inputs',
      later ? `Its input “${missing}” comes later in the list.` : `Its input “${missing}” does not exist.`,
      { inputs: [missing] },
    );
  }
  const shapes = layer.inputs.map(shapeOf).filter((shape) => shape !== undefined);
  const inputs = shapes.filter((shape) => shape !== 'unknown');
  if (inputs.length < shapes.length) return { description: nothing };
  const invalid = invalidAttribute(layer);
  if (invalid) return refuse('attributes', invalid.message, { attribute: invalid.attribute }, { inputs });
  if (!ops.has(layer.op)) return refuse('op', `Unknown layer type “${layer.op}”.`);
  const op = ops.get(layer.op);
  const [least, most] = op.takes ?? [1, 1];
  if (inputs.length < least || inputs.length > most) {
    const wanted = least === most ? 'one input' : `at least ${least} inputs`;
    return refuse('count', `Expects ${wanted}, got ${inputs.length}.`, {}, { inputs });
  }
  const mismatched = layer.inputs.filter((_, k) => !matches(layer.op, inputs[0], inputs[k]));
  if (mismatched.length > 0) {
    const found = layer.inputs.map((name, k) => `${sizesOf(inputs[k])} from ${name}`).join(', ');
    const what = layer.op === 'add' ? 'have the same shape' : 'match in height and width';
    return refuse('shapes', `Its inputs must ${what}; got ${found}.`, { inputs: mismatched }, { inputs });
  }
  try {
    return { description: costs(op, layer, inputs) };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return refuse('fit', inWords(error, layer, inputs), { inputs: layer.inputs }, { inputs });
  }
}

/** Whether a join accepts `other` together with its first input. */
function matches(op: string, first: Shape, other: Shape): boolean {
  if (op === 'add') return sameShape(first, other);
  if (op === 'concat') return first.length === other.length && sameShape(first.slice(1), other.slice(1));
  return true;
}

/** The op's message without its name in front; common errors are explained for learners. */
function inWords({ message }: Failure, { op }: LayerData, [input]: readonly Shape[]): string {
  if (op === 'linear' && input.length > 1)
    return `Expects a vector, got ${sizesOf(input)}. Add a flatten layer.`;
  if (input.length === 1 && /images \[N|shape \[N, C, H, W\]/.test(message))
    return `Expects feature maps, got a vector of ${input[0]}.`;
  const words = message.replace(/^\w+: /, '');
  return `${words[0].toUpperCase()}${words.slice(1)}.`;
}

/** @throws Failure('bad-input') */
function costs(op: Op<unknown>, layer: LayerData, inputs: readonly Shape[]): LayerDescription {
  const attributes: Readonly<Record<string, unknown>> = completeAttributes(op, layer.attributes);
  const [input, ...others] = inputs.map((shape) => [1, ...shape]);
  const output = op.outputShape(attributes, input, ...others).slice(1);
  const parameters = op.parameters?.(attributes, input).map(({ name, shape }) => ({ name, shape })) ?? [];
  const problem = layer.op === 'conv' ? problemOf(attributes as ConvAttributes, input) : undefined;
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

/** Layers before the last whose output is not used. */
const unused = (layers: readonly Spelt[]): PlainError[] => {
  const used = new Set(layers.flatMap(({ inputs }) => inputs));
  return layers.flatMap(({ name }, i) =>
    i < layers.length - 1 && !used.has(name) ? errorAt(i, 'use', 'Its output is not used.') : [],
  );
};

/** Whether the network ends with one logit per class. */
function endErrors(
  { classes }: Pick<ModelFile, 'classes'>,
  layers: readonly Spelt[],
  found: readonly LayerDescription[],
): PlainError[] {
  const last = layers.length - 1;
  const { output } = found[last];
  if (!output) return [];
  if (!sameShape(output, [classes])) {
    const wanted = `The network must end with ${classes} outputs, one per class`;
    return [errorAt(last, 'end', `${wanted}. Current output: ${sizesOf(output)}.`, { incomplete: true })];
  }
  // Views do not change values.
  let end = last;
  while (layers[end].op === 'flatten' && layers[end].inputs[0] === layers[end - 1]?.name) end--;
  if (layers[end].op === 'relu') {
    return [errorAt(end, 'end', 'The last layer must output raw logits, one per class. Remove the ReLU.')];
  }
  return [];
}

/** The first invalid attribute. */
function invalidAttribute({
  op,
  attributes = {},
}: LayerData): { attribute: string; message: string } | undefined {
  const kinds = kindOf(op)?.attributes ?? [];
  for (const kind of kinds) {
    const value = attributes[kind.name];
    if (value === undefined && !isRequired(kind)) continue;
    const expected = expectedOf(kind, value);
    if (expected === undefined) continue;
    const found = value === undefined ? 'nothing' : JSON.stringify(value);
    return { attribute: kind.name, message: `${kind.title}: expected ${expected}, found ${found}.` };
  }
  return undefined;
}

const errorAt = (
  layer: number,
  check: CheckName,
  message: string,
  rest: Partial<PlainError> = {},
): PlainError => ({ layer, check, message, incomplete: false, ...rest });
