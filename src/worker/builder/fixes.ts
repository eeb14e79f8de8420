/** Changes that remove an error of a model. Each candidate is applied and the model checked again before it is offered. */
import { insertAfter, insertBefore, remove, setAttributes, setInputs } from '../../base/layers/edit.ts';
import { IMAGE, placeOf, shorten, spellOut, type LayerData } from '../../base/layers/layer.ts';
import { freshName } from '../../base/layers/names.ts';
import type { Shape } from '../../base/shape.ts';
import type { LayerDescription, ModelFix, ModelDescription, ModelFile } from '../api.ts';
import { describePlainly, isHiddenBy, type PlainDescription, type PlainError } from './describe.ts';
import { kindOf } from './kinds.ts';

/** Fixes offered per error. */
const MOST = 3;

/** Shapes, costs and errors of a model, with fixes for the errors. */
export function describeModel(model: ModelFile): ModelDescription {
  const known = describePlainly(model);
  return {
    layers: known.layers,
    errors: known.errors.map((error) => {
      const { check: _check, ...said } = error;
      return { ...said, fixes: fixesOf(model, error, known) };
    }),
  };
}

function fixesOf(model: ModelFile, error: PlainError, known: PlainDescription): ModelFix[] {
  const fixes: ModelFix[] = [];
  const seen = new Set<string>();
  for (const fix of candidates({ model, error, known })) {
    if (fixes.length === MOST) break;
    const key = JSON.stringify(fix.layers);
    if (seen.has(key) || !helps(model, error, known, fix)) continue;
    seen.add(key);
    fixes.push(fix);
  }
  return fixes;
}

/** Whether a fix removes the error and adds none to layers that were valid; it may reveal what the error hid. */
function helps(model: ModelFile, error: PlainError, before: PlainDescription, { layers }: ModelFix): boolean {
  const after = describePlainly({ ...model, layers }).errors;
  if (error.incomplete) return !after.some(({ incomplete }) => incomplete);
  const nameOf = (list: readonly LayerData[], one: PlainError) => list[one.layer]?.name;
  const wrong = new Set(before.errors.map((one) => nameOf(model.layers, one)));
  const own = nameOf(model.layers, error);
  const excused = (one: PlainError) => {
    if (one.incomplete) return true;
    const name = nameOf(layers, one);
    if (name === own) return isHiddenBy(error, one);
    return wrong.has(name) || !known(before, model.layers, name);
  };
  return after.every(excused);
}

const known = ({ layers: found }: PlainDescription, layers: readonly LayerData[], name: string): boolean =>
  found[placeOf(layers, name)]?.output !== undefined;

interface Situation {
  model: ModelFile;
  error: PlainError;
  known: PlainDescription;
}

/** Possible fixes, the likeliest first. */
function* candidates(situation: Situation): Generator<ModelFix> {
  const { model, error, known: found } = situation;
  const { layers } = model;
  const at = error.layer;
  if (at < 0) {
    yield* endFixes(situation);
    return;
  }
  const layer = layers[at];
  const inputs = found.layers[at].inputs ?? [];
  if (error.attribute !== undefined) {
    yield* resetAttribute(layers, at, error.attribute);
    return;
  }
  if (error.incomplete) {
    yield* endFixes(situation);
    return;
  }
  yield* rename(layers, at);
  if (error.check === 'count' && inputs.length > 1) yield* oneInput(layers, at);
  else if (kindOf(layer.op)?.joins) yield* joinFixes(situation, inputs);
  if (layer.op === 'linear' && inputs[0]?.length > 1) yield* vectorFixes(layers, at);
  if (inputs[0]) yield* divisorFixes(layers, at, inputs[0][0]);
  if (inputs[0]?.length === 3) yield* kernelFixes(layers, at, inputs[0]);
  if (inputs[0]?.length === 1) yield* withoutFlatten(layers, at);
  yield* connectionFixes(layers, at);
  yield { title: `Delete ${layer.name}`, layers: remove(layers, { first: at, last: at }) };
}

const taken = (layers: readonly LayerData[]) => new Set(layers.map(({ name }) => name));

/** A new layer of an op, with an unused name. */
const fresh = (
  layers: readonly LayerData[],
  op: string,
  attributes?: LayerData['attributes'],
): LayerData => ({
  name: freshName(taken(layers), kindOf(op)?.stem ?? op),
  op,
  ...(attributes ? { attributes } : {}),
});

/** A fix that sets attributes of one layer. */
const setting = (title: string, layers: readonly LayerData[], at: number, values: object): ModelFix => ({
  title,
  layers: setAttributes(layers, at, { ...values }),
});

const flatten = (layers: readonly LayerData[]) => fresh(layers, 'flatten');
const globalAverage = (layers: readonly LayerData[]) =>
  fresh(layers, 'adaptive_avg_pool', { outputSize: [1, 1] });

/** For a fully connected layer whose input is not a vector. */
function* vectorFixes(layers: readonly LayerData[], at: number): Generator<ModelFix> {
  yield { title: 'Insert a flatten layer', layers: insertBefore(layers, at, [flatten(layers)]) };
  yield {
    title: 'Insert a global average and a flatten layer',
    layers: insertBefore(layers, at, [globalAverage(layers), flatten(layers)]),
  };
}

/** For a network that does not end with one output per class. */
function* endFixes({ model: { layers, classes, input }, known: found }: Situation): Generator<ModelFix> {
  const last = layers.length - 1;
  const output = last < 0 ? input : (found.layers[last].output ?? []);
  const widths: Readonly<Record<string, string>> = { linear: 'outFeatures', conv: 'outChannels' };
  const width = last < 0 ? undefined : widths[layers[last].op];
  const set = (at: number) =>
    setting(`Set ${layers[at].name}’s outputs to ${classes}`, layers, at, {
      [widths[layers[at].op]]: classes,
    });
  if (width) yield set(last);
  const logits = fresh(layers, 'linear', { outFeatures: classes });
  const row = output.length > 1 ? [flatten(layers)] : [];
  yield {
    title: `Add ${row.length > 0 ? 'a flatten and ' : ''}a fully connected layer with ${classes} outputs`,
    layers: insertAfter(layers, last, [...row, logits]),
  };
  if (row.length > 0) {
    yield {
      title: `Add a global average, a flatten and a fully connected layer with ${classes} outputs`,
      layers: insertAfter(layers, last, [globalAverage(layers), ...row, logits]),
    };
  }
  const wide = layers.findLastIndex(({ op }) => op in widths);
  if (wide >= 0 && wide !== last) yield set(wide);
}

/** For a layer that takes one input and has several. */
function* oneInput(layers: readonly LayerData[], at: number): Generator<ModelFix> {
  for (const name of spellOut(layers)[at].inputs.toReversed())
    yield { title: `Use only ${name} as input`, layers: setInputs(layers, at, [name]) };
}

/** For vectors that are added, or vectors and feature maps that are concatenated: what all inputs are to be. */
function* asVectors(
  layers: readonly LayerData[],
  at: number,
  shapes: readonly Shape[],
  length: number,
): Generator<ModelFix> {
  const { op, name: join } = layers[at];
  const isSum = op === 'add';
  let fixed: readonly LayerData[] = layers;
  spellOut(layers)[at].inputs.forEach((name, k) => {
    const shape = shapes[k];
    const row = [
      ...(shape.length > 1 ? [flatten(fixed)] : []),
      ...(isSum && shape.join() !== String(length) ? [fresh(fixed, 'linear', { outFeatures: length })] : []),
    ];
    if (row.length > 0) fixed = insertBefore(fixed, placeOf(fixed, join), row, name);
  });
  if (isSum)
    yield { title: `Add a fully connected layer with ${length} outputs on the shortcut`, layers: fixed };
  else yield { title: 'Flatten the feature maps', layers: fixed };
}

/** For a sum or a concatenation whose inputs do not match. */
function* joinFixes({ model, known: found }: Situation, shapes: readonly Shape[]): Generator<ModelFix> {
  const { layers } = model;
  const spelt = spellOut(layers);
  const at = found.layers.findIndex((one) => one.inputs === shapes);
  const names = spelt[at].inputs;
  if (names.length === 1) {
    const shape = shapes[0];
    // The nearest other output of the same shape.
    for (let i = at - 1; i >= -1; i--) {
      const name = i < 0 ? IMAGE : layers[i].name;
      const same = i < 0 ? model.input : found.layers[i].output;
      if (name === names[0] || same?.join() !== shape.join()) continue;
      yield { title: `Add ${name} as input`, layers: setInputs(layers, at, [...names, name]) };
    }
    return;
  }
  const main = names.reduce((a, b) => (placeOf(layers, b) > placeOf(layers, a) ? b : a));
  const others = names.filter((name) => name !== main);
  const shapeOf = (name: string) => shapes[names.indexOf(name)];
  const goalOf = (name: string) => shapeOf(name === main ? others[0] : main);
  const isVector = ({ length }: Shape) => length === 1;
  if (layers[at].op === 'add' ? isVector(shapeOf(main)) : shapes.some(isVector))
    yield* asVectors(layers, at, shapes, shapeOf(main)[0]);
  if (layers[at].op === 'add') {
    // Every branch whose shape differs from the main branch gets a projection.
    let fixed: readonly LayerData[] | undefined = layers;
    const added: string[] = [];
    for (const name of others) {
      const projection = fixed && projectionOf(fixed, layers[at].name, shapeOf(name), shapeOf(main));
      if (!projection || !fixed) fixed = undefined;
      else if (projection.length > 0) {
        fixed = insertBefore(fixed, placeOf(fixed, layers[at].name), projection, name);
        added.push(name);
      }
    }
    // An input that other layers use too comes straight from the fork: its branch has no layer that could be changed.
    const bare = others.some((name) => spelt.filter(({ inputs }) => inputs.includes(name)).length > 1);
    const project: ModelFix[] =
      fixed && added.length > 0 ? [{ title: 'Add a 1 × 1 convolution on the shortcut', layers: fixed }] : [];
    if (bare) yield* project;
    for (const name of names.toReversed()) yield* reshaped(layers, found.layers, name, goalOf(name));
    yield* project;
    return;
  }
  for (const name of [main, ...others]) yield* reshaped(layers, found.layers, name, goalOf(name));
  // Concatenated inputs may differ in channels only.
  const [smallest] = shapes.toSorted((a, b) => (a[1] ?? 0) - (b[1] ?? 0));
  if (smallest.length === 3 && layers[at].op === 'concat') {
    let fixed: readonly LayerData[] = layers;
    names.forEach((name, k) => {
      if (shapes[k].length !== 3 || shapes[k].slice(1).join() === smallest.slice(1).join()) return;
      const pool = fresh(fixed, 'adaptive_avg_pool', { outputSize: smallest.slice(1) });
      fixed = insertBefore(fixed, placeOf(fixed, layers[at].name), [pool], name);
    });
    yield { title: `Pool the larger inputs to ${smallest.slice(1).join(' × ')}`, layers: fixed };
  }
}

/** A 1x1 convolution from one shape to another, with batch norm if the model has any; undefined if there is none. */
function projectionOf(
  layers: readonly LayerData[],
  join: string,
  from: Shape,
  to: Shape,
): LayerData[] | undefined {
  if (from.join() === to.join()) return [];
  if (from.length !== 3 || to.length !== 3) return undefined;
  const stride = [1, 2].map((axis) => Math.round(from[axis] / to[axis]));
  if ([1, 2].some((axis, k) => stride[k] < 1 || Math.ceil(from[axis] / stride[k]) !== to[axis]))
    return undefined;
  const normalised = layers.some(({ op }) => op === 'batch_norm');
  const block = join.includes('.') ? join.slice(0, join.lastIndexOf('.') + 1) : '';
  const names = taken(layers);
  const stem = freshStem(names, `${block}downsample`);
  const attributes = {
    outChannels: to[0],
    kernelSize: [1, 1],
    ...(stride.some((step) => step > 1) ? { stride } : {}),
    ...(normalised ? { bias: false } : {}),
  };
  const convolution: LayerData = { name: `${stem}.0`, op: 'conv', attributes };
  return normalised ? [convolution, { name: `${stem}.1`, op: 'batch_norm' }] : [convolution];
}

/** The stem itself or with a number, such that no name starts with it. */
function freshStem(names: ReadonlySet<string>, stem: string): string {
  const free = (one: string) => ![...names].some((name) => name === one || name.startsWith(`${one}.`));
  for (let n = 1; ; n++) {
    const one = n === 1 ? stem : `${stem}${n}`;
    if (free(one)) return one;
  }
}

/** Changes of the last convolution or pooling before `name` that give it the shape `goal`. */
function* reshaped(
  layers: readonly LayerData[],
  found: readonly LayerDescription[],
  name: string,
  goal: Shape,
): Generator<ModelFix> {
  const spelt = spellOut(layers);
  let at = placeOf(layers, name);
  while (at >= 0 && spelt[at].inputs.length === 1 && !spelt[at].attributes?.['kernelSize']) {
    at = placeOf(layers, spelt[at].inputs[0]);
  }
  if (at < 0 || !spelt[at].attributes?.['kernelSize'] || goal.length !== 3) return;
  const { attributes = {}, op, name: own } = layers[at];
  const output = found[at].output ?? [];
  if (op === 'conv' && output[0] !== goal[0]) {
    yield setting(`Give ${own} ${goal[0]} filters`, layers, at, { outChannels: goal[0] });
  }
  yield* samePadding(layers, at, attributes);
}

/** For a kernel that is larger than its input. */
function* kernelFixes(layers: readonly LayerData[], at: number, [, H, W]: Shape): Generator<ModelFix> {
  const { attributes = {}, name } = layers[at];
  const size = attributes['kernelSize'];
  if (!Array.isArray(size)) return;
  yield* samePadding(layers, at, attributes);
  const smaller = [Math.min(size[0] as number, H), Math.min(size[1] as number, W)];
  const values = { kernelSize: smaller, padding: undefined, dilation: undefined };
  yield setting(`Set the kernel size of ${name} to ${smaller.join(' × ')}`, layers, at, values);
}

/** Padding with which a kernel at stride 1 keeps height and width; only an odd one needs as much on both sides. */
function* samePadding(
  layers: readonly LayerData[],
  at: number,
  attributes: Readonly<Record<string, unknown>>,
): Generator<ModelFix> {
  const { kernelSize, dilation = [1, 1] } = attributes as { kernelSize: number[]; dilation?: number[] };
  const padding = kernelSize.map((size, axis) => ((size - 1) * dilation[axis]) / 2);
  const { name } = layers[at];
  if (padding.every(Number.isInteger))
    yield setting(`Set ${name}’s padding to ${padding.join(' × ')}`, layers, at, { padding });
  yield setting(`Use “same” padding in ${name}`, layers, at, { padding: 'same', stride: [1, 1] });
}

/** For attributes that have to divide the number of channels, and others. */
function* divisorFixes(layers: readonly LayerData[], at: number, channels: number): Generator<ModelFix> {
  const { op, attributes = {} } = layers[at];
  for (const kind of kindOf(op)?.attributes ?? []) {
    if (kind.kind === 'whole' && kind.divides)
      yield* divide(layers, at, kind.name, channels, ...kind.divides.map((name) => attributes[name]));
  }
}

/** The largest value up to an attribute's that divides others. */
function* divide(
  layers: readonly LayerData[],
  at: number,
  attribute: string,
  ...wholes: unknown[]
): Generator<ModelFix> {
  const now = Number(layers[at].attributes?.[attribute] ?? 1);
  let value = now;
  while (value > 1 && wholes.some((whole) => Number(whole) % value !== 0)) value--;
  const said = kindOf(layers[at].op)?.attributes;
  const title = said?.find(({ name }) => name === attribute)?.title.toLowerCase() ?? attribute;
  if (value === now) return;
  yield setting(`Set ${layers[at].name}’s ${title} to ${value}`, layers, at, { [attribute]: value });
}

/** For a layer that needs feature maps after a flatten layer. */
function* withoutFlatten(layers: readonly LayerData[], at: number): Generator<ModelFix> {
  const before = layers.slice(0, at).findLastIndex(({ op }) => op === 'flatten');
  if (before >= 0)
    yield {
      title: `Delete ${layers[before].name} before it`,
      layers: remove(layers, { first: before, last: before }),
    };
}

/** For a layer whose name is already in use. */
function* rename(layers: readonly LayerData[], at: number): Generator<ModelFix> {
  const { name } = layers[at];
  if (name !== IMAGE && placeOf(layers, name) === at) return;
  const stem = kindOf(layers[at].op)?.stem ?? 'layer';
  const own = freshName(taken(layers), stem);
  const spelt = spellOut(layers).map((layer, i) => {
    // The next layer means this one; inputs by that name meant the other.
    const inputs = i === at + 1 && layers[i].inputs === undefined ? [own] : layer.inputs;
    return i === at ? { ...layer, name: own } : { ...layer, inputs };
  });
  yield { title: `Rename to ${own}`, layers: shorten(spelt) };
}

/** For inputs that do not exist, and outputs that are not used. */
function* connectionFixes(layers: readonly LayerData[], at: number): Generator<ModelFix> {
  const before = at === 0 ? IMAGE : layers[at - 1].name;
  const spelt = spellOut(layers);
  const names = new Set([IMAGE, ...layers.slice(0, at).map(({ name }) => name)]);
  if (spelt[at].inputs.some((name) => !names.has(name))) {
    const there = spelt[at].inputs.filter((name) => names.has(name));
    yield {
      title: `Use ${before} as input`,
      layers: setInputs(layers, at, [...new Set([...there, before])]),
    };
  }
  const next = spelt[at + 1];
  if (next && !spelt.some(({ inputs }) => inputs.includes(layers[at].name))) {
    yield {
      title: `Connect it to ${next.name}`,
      layers: setInputs(
        layers,
        at + 1,
        kindOf(next.op)?.joins ? [...next.inputs, layers[at].name] : [layers[at].name],
      ),
    };
  }
}

/** Resets an attribute to its value in new layers, or to its default. */
function* resetAttribute(layers: readonly LayerData[], at: number, attribute: string): Generator<ModelFix> {
  const kind = kindOf(layers[at].op)?.attributes.find(({ name }) => name === attribute);
  if (!kind) return;
  const initial = 'initial' in kind ? kind.initial : undefined;
  const value = initial ?? ('default' in kind ? kind.default : undefined);
  const said = Array.isArray(value) ? value.join(' × ') : String(value ?? 'its default');
  yield setting(`Set ${kind.title.toLowerCase()} to ${said}`, layers, at, { [attribute]: initial });
}
