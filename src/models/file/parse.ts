/**
 * Reads a model that a user wrote as JSON. Errors name their path, and for shapes that do not fit, the shapes around
 * them.
 */
import { parseJson } from '../../base/json.ts';
import { Failure } from '../../base/result.ts';
import { elements, isImageShape, MAX_IMAGE, MAX_SIDE } from '../../base/shape.ts';
import { isRequired, type AttributeSpec } from '../../ops/attributes.ts';
import { WEIGHTS_INITS } from '../../engine/init.ts';
import type { Layer } from '../../engine/network.ts';
import { ops } from '../../engine/ops/registry.ts';
import { requireClasses, type Model } from '../model.ts';
import { JsonPlace } from '../../base/json-place.ts';

/** Characters of a file. The largest registered model has 25,000. */
export const MAX_TEXT = 2 ** 20;
/** Nesting: the file, its list of layers, a layer, its attributes, a pair. */
const MAX_DEPTH = 6;
export const MAX_LAYERS = 2000;
/** The largest filter, stride, padding or dilation. */
const MAX_WHOLE = 2 ** 20;
/** ImageNet's. Data sets here have at most 256, and a model is fitted to them. */
export const MAX_CLASSES = 1000;
/** The most values in all parameters, and in a layer's output for one image: 1 GiB. */
export const MAX_NUMBERS = 2 ** 28;

/** A layer's name is part of its parameters' names, and those of `train --pin`. */
const NAME = /[A-Za-z0-9_][A-Za-z0-9_.-]*/;

/**
 * Reads a model's JSON: docs/models.md.
 * @param file the file's name, for messages
 * @throws Failure `bad-file` with the path of the error: "layers[3].attributes.outChannels: expected ..."
 */
export function parseModel(file: string, text: string): Model {
  if (text.length > MAX_TEXT)
    throw new Failure('bad-file', `${file}: expected at most ${MAX_TEXT} characters, found ${text.length}`);
  const root = new JsonPlace(file, parseJson(text, rulesOf(file, text)));
  const members = root.members('a model', [
    ...(['name', 'title', 'description', 'family', 'input', 'classes', 'weightsInit', 'layers'] as const),
  ]);
  const name = readName(members.name);
  const line = (place: JsonPlace, otherwise: string) => (place.isAbsent ? otherwise : place.text('a text'));
  const model: Model = {
    name,
    title: line(members.title, name),
    description: line(members.description, ''),
    ...(members.family.isAbsent ? {} : { family: members.family.text('a text') }),
    input: readInput(members.input),
    classes: members.classes.whole(2, MAX_CLASSES),
    ...(members.weightsInit.isAbsent ? {} : { weightsInit: members.weightsInit.choice(WEIGHTS_INITS) }),
    layers: members.layers.items('layers', 1, MAX_LAYERS).map(readLayer),
  };
  try {
    requireModest(model);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw new Failure('bad-file', `${file}: ${error.message}`, error.advice);
  }
  return model;
}

const rulesOf = (file: string, text: string) => ({
  what: 'the model',
  maxDepth: MAX_DEPTH,
  reals: true,
  bad(at: number, message: string) {
    const before = text.slice(0, at).split('\n');
    const place = `line ${before.length}, column ${before[before.length - 1].length + 1}`;
    return new Failure(
      'bad-file',
      `${file}, ${place}: ${message}`,
      'Must be valid JSON, without comments or trailing commas.',
    );
  },
});

function readName(place: JsonPlace): string {
  const name = place.text('a name of letters, digits, dots, dashes and underscores', NAME, 100);
  // Names are used as keys of plain objects, so they must not be those that every object has.
  if (name in {}) throw place.bad(`the name "${name}" is reserved`, 'Choose another name.');
  return name;
}

function readInput(place: JsonPlace): [number, number, number] {
  if (place.isAbsent || !Array.isArray(place.value) || place.value.length !== 3)
    throw place.bad("expected the images' [channels, height, width]");
  const sizes = place.items('sizes', 3, 3).map((one) => one.whole(1, MAX_SIDE));
  if (!isImageShape(sizes))
    throw place.bad(`expected images of at most ${MAX_IMAGE} values, found ${elements(sizes)}`);
  return sizes;
}

function readLayer(place: JsonPlace): Layer {
  const { name, op, inputs, attributes } = place.members(
    'a layer',
    ['name', 'op', 'inputs', 'attributes'],
    (other) => `a layer has no key ${JSON.stringify(other)}; attributes of its op belong in "attributes"`,
  );
  const layer = { name: readName(name), op: op.text(`an op's name`, undefined, 100) };
  if (!ops.has(layer.op))
    throw op.bad(`there is no op ${JSON.stringify(layer.op)}`, `Known: ${ops.names().join(', ')}.`);
  const values = readAttributes(layer.op, attributes);
  return {
    ...layer,
    ...(inputs.isAbsent
      ? {}
      : { inputs: inputs.items('names of layers', 1, MAX_LAYERS).map((one) => one.text("a layer's name")) }),
    ...(Object.keys(values).length === 0 ? {} : { attributes: values }),
  };
}

function readAttributes(op: string, place: JsonPlace): Record<string, unknown> {
  const { attributes: specs = {} } = ops.get(op);
  const given = place
    .orEmpty()
    .members(
      `attributes of ${op}`,
      Object.keys(specs),
      (name) => `${op} has no attribute ${JSON.stringify(name)}`,
    );
  return Object.fromEntries(
    Object.entries(specs).flatMap(([name, spec]) =>
      given[name].isAbsent && !isRequired(spec) ? [] : [[name, readAttribute(spec, given[name])]],
    ),
  );
}

function readAttribute(spec: AttributeSpec, place: JsonPlace): unknown {
  switch (spec.kind) {
    case 'whole':
      return place.whole(spec.least, MAX_WHOLE);
    case 'pair':
      return place.pair(spec.least, MAX_WHOLE);
    case 'padding':
      return place.padding(MAX_WHOLE);
    case 'number':
      return spec.above ? place.above(spec.least, spec.most) : place.number(spec.least, spec.most);
    case 'flag':
      return place.flag();
    case 'choice':
      return place.choice(spec.of);
  }
}

/** @throws Failure if the shapes do not fit one another, or are too large to compute */
function requireModest(model: Model): void {
  let parameters = 0;
  requireClasses(model).forEach(({ layer, output, parameters: own }, i) => {
    parameters += own.reduce((sum, { shape }) => sum + elements(shape), 0);
    const place = `layers[${i}] "${layer.name}"`;
    if (elements(output) > MAX_NUMBERS)
      throw new Failure(
        'bad-file',
        `${place}: outputs ${elements(output)} values per image, at most ${MAX_NUMBERS} are supported`,
      );
    if (parameters > MAX_NUMBERS)
      throw new Failure(
        'bad-file',
        `${place}: ${parameters} parameters up to here, at most ${MAX_NUMBERS} are supported`,
      );
  });
}
