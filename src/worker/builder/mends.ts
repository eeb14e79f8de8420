/**
 * Mends: changes of a model that make a mistake go away. Whatever might help is tried, and what helps is offered: each
 * mend is applied and the model looked at again before anybody sees it.
 */
import { insertAfter, insertBefore, remove, setAttributes, setInputs } from '../../base/layers/edit.ts';
import { IMAGE, placeOf, shorten, spellOut, type LayerData } from '../../base/layers/layer.ts';
import { freshName } from '../../base/layers/names.ts';
import type { Shape } from '../../base/shape.ts';
import type { LayerDescription, Mend, ModelDescription, ModelFile } from '../api.ts';
import { describePlainly, describeWith, type PlainDescription, type PlainMistake } from './describe.ts';
import { LAYER_KINDS } from './kinds.ts';

/** More than a few would have to be read, not chosen. */
const MOST = 3;

/** Shapes, costs and mistakes all through a model, and what mends them. */
export const describeModel = (model: ModelFile): ModelDescription =>
  describeWith(model, (mistake, known) => mendsOf(model, mistake, known));

function mendsOf(model: ModelFile, mistake: PlainMistake, known: PlainDescription): Mend[] {
  const mends: Mend[] = [];
  const seen = new Set<string>();
  for (const mend of candidates({ model, mistake, known })) {
    if (mends.length === MOST) break;
    const key = JSON.stringify(mend.layers);
    if (seen.has(key) || !helps(model, mistake, known, mend)) continue;
    seen.add(key);
    mends.push(mend);
  }
  return mends;
}

/** Whether the mistake is gone, and nothing that was right has become wrong. */
function helps(model: ModelFile, mistake: PlainMistake, before: PlainDescription, { layers }: Mend): boolean {
  const after = describePlainly({ ...model, layers }).mistakes;
  if (mistake.unfinished) return !after.some(({ unfinished }) => unfinished);
  const nameOf = (list: readonly LayerData[], one: PlainMistake) => list[one.layer]?.name;
  const wrong = new Set(before.mistakes.map((one) => nameOf(model.layers, one)));
  const own = nameOf(model.layers, mistake);
  // What was unknown before may turn out to be unfinished or wrong now.
  const excused = (one: PlainMistake) => {
    const name = nameOf(layers, one);
    return name !== own && (wrong.has(name) || one.unfinished || !known(before, model.layers, name));
  };
  return after.every(excused);
}

const known = ({ layers: found }: PlainDescription, layers: readonly LayerData[], name: string): boolean =>
  found[placeOf(layers, name)]?.output !== undefined;

interface Situation {
  model: ModelFile;
  mistake: PlainMistake;
  known: PlainDescription;
}

/** What might help, the likeliest first. */
function* candidates(situation: Situation): Generator<Mend> {
  const { model, mistake, known: found } = situation;
  const { layers } = model;
  const at = mistake.layer;
  if (at < 0) return;
  const layer = layers[at];
  const inputs = found.layers[at].inputs ?? [];
  if (mistake.attribute !== undefined) {
    yield* resetAttribute(layers, at, mistake.attribute);
    return;
  }
  if (mistake.unfinished) {
    yield* endings(situation);
    return;
  }
  yield* otherName(layers, at);
  if (layer.op === 'add' || layer.op === 'concat') yield* meetings(situation, inputs);
  if (layer.op === 'linear' && inputs[0]?.length > 1) yield* rows(layers, at);
  if (layer.op === 'maxout' && inputs[0]) yield* divide(layers, at, 'pieces', inputs[0][0]);
  if (layer.op === 'conv' && inputs[0]?.length === 3) {
    yield* divide(layers, at, 'groups', inputs[0][0], layer.attributes?.['outChannels']);
  }
  if (inputs[0]?.length === 3) yield* windows(layers, at, inputs[0]);
  if (inputs[0]?.length === 1) yield* withoutFlatten(layers, at);
  yield* takers(layers, at);
  yield { title: `Delete ${layer.name}`, layers: remove(layers, { first: at, last: at }) };
}

const taken = (layers: readonly LayerData[]) => new Set(layers.map(({ name }) => name));

/** A new layer of an op, named so that nothing else has its name. */
const fresh = (
  layers: readonly LayerData[],
  op: string,
  attributes?: LayerData['attributes'],
): LayerData => ({
  name: freshName(taken(layers), LAYER_KINDS.find((kind) => kind.op === op)?.stem ?? op),
  op,
  ...(attributes ? { attributes } : {}),
});

const flatten = (layers: readonly LayerData[]) => fresh(layers, 'flatten');
const globalAverage = (layers: readonly LayerData[]) =>
  fresh(layers, 'adaptive_avg_pool', { outputSize: [1, 1] });

/** A fully connected layer that gets images. */
function* rows(layers: readonly LayerData[], at: number): Generator<Mend> {
  yield { title: 'Insert a flatten layer', layers: insertBefore(layers, at, [flatten(layers)]) };
  yield {
    title: 'Insert a global average and a flatten layer',
    layers: insertBefore(layers, at, [globalAverage(layers), flatten(layers)]),
  };
}

/** The network's end: as many numbers as there are classes. */
function* endings({ model: { layers, classes }, known: found }: Situation): Generator<Mend> {
  const last = layers.length - 1;
  const output = found.layers[last].output ?? [];
  const widths: Readonly<Record<string, string>> = { linear: 'outFeatures', conv: 'outChannels' };
  const width = widths[layers[last].op];
  const set = (at: number): Mend => ({
    title: `Set ${layers[at].name}’s outputs to ${classes}`,
    layers: setAttributes(layers, at, { [widths[layers[at].op]]: classes }),
  });
  if (width) yield set(last);
  const answer = fresh(layers, 'linear', { outFeatures: classes });
  const row = output.length > 1 ? [flatten(layers)] : [];
  yield {
    title: `Add ${row.length > 0 ? 'a flatten and ' : ''}a fully connected layer with ${classes} outputs`,
    layers: insertAfter(layers, last, [...row, answer]),
  };
  if (row.length > 0) {
    yield {
      title: `Add a global average, a flatten and a fully connected layer with ${classes} outputs`,
      layers: insertAfter(layers, last, [globalAverage(layers), ...row, answer]),
    };
  }
  const wide = layers.findLastIndex(({ op }) => op in widths);
  if (wide >= 0 && wide !== last) yield set(wide);
}

/** Inputs of a sum or a concatenation that do not fit. */
function* meetings({ model, known: found }: Situation, shapes: readonly Shape[]): Generator<Mend> {
  const { layers } = model;
  const spelt = spellOut(layers);
  const at = found.layers.findIndex((one) => one.inputs === shapes);
  const names = spelt[at].inputs;
  if (names.length === 1) {
    const shape = shapes[0];
    // The nearest thing of the same shape, which is not itself on the way.
    for (let i = at - 1; i >= -1; i--) {
      const name = i < 0 ? IMAGE : layers[i].name;
      const same = i < 0 ? model.input : found.layers[i].output;
      if (name === names[0] || same?.join() !== shape.join()) continue;
      yield { title: `Take ${name} too`, layers: setInputs(layers, at, [...names, name]) };
    }
    return;
  }
  const main = names.reduce((a, b) => (placeOf(layers, b) > placeOf(layers, a) ? b : a));
  const others = names.filter((name) => name !== main);
  const shapeOf = (name: string) => shapes[names.indexOf(name)];
  const goalOf = (name: string) => shapeOf(name === main ? others[0] : main);
  if (layers[at].op === 'add') {
    // Every way whose shape is not the main way's gets a projection.
    let mended: readonly LayerData[] | undefined = layers;
    const added: string[] = [];
    for (const name of others) {
      const projection = mended && projectionOf(mended, layers[at].name, shapeOf(name), shapeOf(main));
      if (!projection || !mended) mended = undefined;
      else if (projection.length > 0) {
        mended = insertBefore(mended, placeOf(mended, layers[at].name), projection, name);
        added.push(name);
      }
    }
    // What others take too comes straight from where the ways part: it has nothing of its own that could be changed.
    const bare = others.some((name) => spelt.filter(({ inputs }) => inputs.includes(name)).length > 1);
    const project: Mend[] =
      mended && added.length > 0
        ? [{ title: 'Add a 1 × 1 convolution on the shortcut', layers: mended }]
        : [];
    if (bare) yield* project;
    for (const name of names.toReversed()) yield* reshaped(layers, found.layers, name, goalOf(name));
    yield* project;
    return;
  }
  for (const name of [main, ...others]) yield* reshaped(layers, found.layers, name, goalOf(name));
  // Concatenated, channels may differ; the rest may not.
  const [smallest] = shapes.toSorted((a, b) => (a[1] ?? 0) - (b[1] ?? 0));
  if (smallest.length === 3 && layers[at].op === 'concat') {
    let mended: readonly LayerData[] = layers;
    names.forEach((name, k) => {
      if (shapes[k].length !== 3 || shapes[k].slice(1).join() === smallest.slice(1).join()) return;
      const pool = fresh(mended, 'adaptive_avg_pool', { outputSize: smallest.slice(1) });
      mended = insertBefore(mended, placeOf(mended, layers[at].name), [pool], name);
    });
    yield { title: `Average the larger ones down to ${smallest.slice(1).join(' × ')}`, layers: mended };
  }
}

/** A convolution of 1x1 that makes one shape of the other, normalised where the model is; undefined if none does. */
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

/** The stem itself, or with a number, such that no name begins with it. */
function freshStem(names: ReadonlySet<string>, stem: string): string {
  const free = (one: string) => ![...names].some((name) => name === one || name.startsWith(`${one}.`));
  for (let n = 1; ; n++) {
    const one = n === 1 ? stem : `${stem}${n}`;
    if (free(one)) return one;
  }
}

/** Changes of the last convolution or pooling on the way to `name` that give it the shape that is wanted. */
function* reshaped(
  layers: readonly LayerData[],
  found: readonly LayerDescription[],
  name: string,
  goal: Shape,
): Generator<Mend> {
  const spelt = spellOut(layers);
  let at = placeOf(layers, name);
  while (at >= 0 && spelt[at].inputs.length === 1 && !spelt[at].attributes?.['kernelSize']) {
    at = placeOf(layers, spelt[at].inputs[0]);
  }
  if (at < 0 || !spelt[at].attributes?.['kernelSize'] || goal.length !== 3) return;
  const { attributes = {}, op, name: own } = layers[at];
  const output = found[at].output ?? [];
  if (op === 'conv' && output[0] !== goal[0]) {
    yield {
      title: `Give ${own} ${goal[0]} filters`,
      layers: setAttributes(layers, at, { outChannels: goal[0] }),
    };
  }
  yield* samePadding(layers, at, attributes);
}

/** A window that is larger than its image. */
function* windows(layers: readonly LayerData[], at: number, [, H, W]: Shape): Generator<Mend> {
  const { attributes = {}, name } = layers[at];
  const size = attributes['kernelSize'];
  if (!Array.isArray(size)) return;
  yield* samePadding(layers, at, attributes);
  const smaller = [Math.min(size[0] as number, H), Math.min(size[1] as number, W)];
  yield {
    title: `Set ${name}’s window to ${smaller.join(' × ')}`,
    layers: setAttributes(layers, at, { kernelSize: smaller, padding: undefined, dilation: undefined }),
  };
}

/** Padding with which a window of odd size and stride 1 keeps the image's size. */
function* samePadding(
  layers: readonly LayerData[],
  at: number,
  attributes: Readonly<Record<string, unknown>>,
): Generator<Mend> {
  const { kernelSize, dilation = [1, 1] } = attributes as { kernelSize: number[]; dilation?: number[] };
  const padding = kernelSize.map((size, axis) => ((size - 1) * dilation[axis]) / 2);
  if (!padding.every(Number.isInteger)) return;
  const { name } = layers[at];
  yield {
    title: `Set ${name}’s padding to ${padding.join(' × ')}`,
    layers: setAttributes(layers, at, { padding }),
  };
  yield {
    title: `Let ${name} keep the image’s size`,
    layers: setAttributes(layers, at, { padding, stride: [1, 1] }),
  };
}

/** A number that has to divide others: the largest one up to it that does. */
function* divide(
  layers: readonly LayerData[],
  at: number,
  attribute: string,
  ...wholes: unknown[]
): Generator<Mend> {
  const now = Number(layers[at].attributes?.[attribute] ?? 1);
  let value = now;
  while (value > 1 && wholes.some((whole) => Number(whole) % value !== 0)) value--;
  const said = LAYER_KINDS.find(({ op }) => op === layers[at].op)?.attributes;
  const title = said?.find(({ name }) => name === attribute)?.title.toLowerCase() ?? attribute;
  if (value !== now)
    yield {
      title: `Set ${layers[at].name}’s ${title} to ${value}`,
      layers: setAttributes(layers, at, { [attribute]: value }),
    };
}

/** Images wanted where a flatten layer has made a row of them. */
function* withoutFlatten(layers: readonly LayerData[], at: number): Generator<Mend> {
  const before = layers.slice(0, at).findLastIndex(({ op }) => op === 'flatten');
  if (before >= 0)
    yield {
      title: `Delete ${layers[before].name} before it`,
      layers: remove(layers, { first: before, last: before }),
    };
}

/** A name of its own for a layer that has another's. */
function* otherName(layers: readonly LayerData[], at: number): Generator<Mend> {
  const { name } = layers[at];
  if (name !== IMAGE && placeOf(layers, name) === at) return;
  const stem = LAYER_KINDS.find(({ op }) => op === layers[at].op)?.stem ?? 'layer';
  const own = freshName(taken(layers), stem);
  const spelt = spellOut(layers).map((layer, i) => {
    // What stands behind it means this one; what named it before meant the other.
    const inputs = i === at + 1 && layers[i].inputs === undefined ? [own] : layer.inputs;
    return i === at ? { ...layer, name: own } : { ...layer, inputs };
  });
  yield { title: `Call it ${own}`, layers: shorten(spelt) };
}

/** Inputs that are not there, and outputs that nobody takes. */
function* takers(layers: readonly LayerData[], at: number): Generator<Mend> {
  const before = at === 0 ? IMAGE : layers[at - 1].name;
  const spelt = spellOut(layers);
  const names = new Set([IMAGE, ...layers.slice(0, at).map(({ name }) => name)]);
  if (spelt[at].inputs.some((name) => !names.has(name))) {
    const there = spelt[at].inputs.filter((name) => names.has(name));
    yield {
      title: `Take ${before} instead`,
      layers: setInputs(layers, at, [...new Set([...there, before])]),
    };
  }
  const next = spelt[at + 1];
  if (next && !spelt.some(({ inputs }) => inputs.includes(layers[at].name))) {
    const joins = next.op === 'add' || next.op === 'concat';
    yield {
      title: `Let ${next.name} take it`,
      layers: setInputs(layers, at + 1, joins ? [...next.inputs, layers[at].name] : [layers[at].name]),
    };
  }
}

/** Back to what it is by default, or what a new layer has. */
function* resetAttribute(layers: readonly LayerData[], at: number, attribute: string): Generator<Mend> {
  const kind = LAYER_KINDS.find(({ op }) => op === layers[at].op)?.attributes.find(
    ({ name }) => name === attribute,
  );
  if (!kind) return;
  const initial = 'initial' in kind ? kind.initial : undefined;
  const value = initial ?? ('default' in kind ? kind.default : undefined);
  yield {
    title: `Set ${kind.title.toLowerCase()} to ${Array.isArray(value) ? value.join(' × ') : String(value ?? 'what it is by default')}`,
    layers: setAttributes(layers, at, { [attribute]: initial }),
  };
}
