/**
 * Edits of a list of layers that keep its graph consistent: a layer's output still reaches its consumers. Each returns
 * a new list. A part is a layer or a block: it has a main input, and the output of its last layer.
 */
import { IMAGE, placeOf, shorten, spellOut, type LayerData, type Spelt } from './layer.ts';
import { renamed } from './names.ts';

/** Indices in the list, inclusive. */
export interface LayerRange {
  first: number;
  last: number;
}

const single = (at: number): LayerRange => ({ first: at, last: at });

/**
 * A part's main input: for layers with several inputs, the one that is computed last. If a part reads nothing from
 * outside, such as a layer that reads itself, its main input is the layer before it.
 */
function mainInput(layers: readonly Spelt[], { first, last }: LayerRange): string {
  const part = layers.slice(first, last + 1);
  const inside = new Set(part.map(({ name }) => name));
  const outside = part.flatMap(({ inputs }) => inputs.filter((name) => !inside.has(name)));
  const [start = first === 0 ? IMAGE : layers[first - 1].name] = outside;
  return outside.reduce((main, name) => (placeOf(layers, name) > placeOf(layers, main) ? name : main), start);
}

/** The list with one name replaced by another in the inputs of the layers that `among` selects. */
const retake = (
  layers: readonly Spelt[],
  from: string,
  to: string,
  among: (at: number) => boolean = () => true,
): Spelt[] =>
  layers.map((layer, i) =>
    among(i) && layer.inputs.includes(from)
      ? { ...layer, inputs: [...new Set(layer.inputs.map((name) => (name === from ? to : name)))] }
      : layer,
  );

/**
 * New layers, each reading the one before unless it names its inputs; the first, and those that name IMAGE, read
 * `source`.
 */
const attached = (added: readonly LayerData[], source: string): Spelt[] =>
  spellOut(added).map((layer) => ({
    ...layer,
    inputs: layer.inputs.map((name) => (name === IMAGE ? source : name)),
  }));

/**
 * Inserts layers after a layer: its consumers read the last of them instead.
 * @param at an index in the list, -1 for the image
 * @param added each reads the one before unless it names its inputs; IMAGE means the layer at `at`
 */
export function insertAfter(
  layers: readonly LayerData[],
  at: number,
  added: readonly LayerData[],
): LayerData[] {
  if (added.length === 0) return [...layers];
  const source = at < 0 ? IMAGE : layers[at].name;
  const rest = retake(spellOut(layers), source, added[added.length - 1].name);
  return shorten([...rest.slice(0, at + 1), ...attached(added, source), ...rest.slice(at + 1)]);
}

/**
 * Inserts layers before a layer.
 * @param at its index
 * @param source which of its inputs; default the main one
 */
export function insertBefore(
  layers: readonly LayerData[],
  at: number,
  added: readonly LayerData[],
  source?: string,
): LayerData[] {
  if (added.length === 0) return [...layers];
  const spelt = spellOut(layers);
  const from = source ?? mainInput(spelt, single(at));
  const rest = retake(spelt, from, added[added.length - 1].name, (i) => i === at);
  return shorten([...rest.slice(0, at), ...attached(added, from), ...rest.slice(at)]);
}

/** Removes a part: its consumers read its main input instead. */
export function remove(layers: readonly LayerData[], part: LayerRange): LayerData[] {
  const spelt = spellOut(layers);
  const rest = retake(spelt, spelt[part.last].name, mainInput(spelt, part), (i) => i > part.last);
  return shorten([...rest.slice(0, part.first), ...rest.slice(part.last + 1)]);
}

/** Inserts a copy of a part after it. @param prefix the prefix of its names; copies continue its numbers */
export function duplicate(layers: readonly LayerData[], part: LayerRange, prefix: string): LayerData[] {
  const spelt = spellOut(layers);
  const source = mainInput(spelt, part);
  const copied = spelt.slice(part.first, part.last + 1);
  const inside = new Set(copied.map(({ name }) => name));
  const loose = copied.map((layer) => ({
    ...layer,
    // Side inputs do not change; the main input is the part before the copy.
    inputs: layer.inputs.map((name) => (name === source && !inside.has(name) ? IMAGE : name)),
  }));
  return insertAfter(layers, part.last, renamed(layers, loose, prefix));
}

/**
 * Swaps two consecutive parts. If the second reads the first, they also swap in the graph: consumers of the second read
 * the first.
 * @returns undefined if the second reads something inside the first, or reads it together with another input
 */
export function swap(
  layers: readonly LayerData[],
  before: LayerRange,
  after: LayerRange,
): LayerData[] | undefined {
  const spelt = spellOut(layers);
  const names = (part: LayerRange) => spelt.slice(part.first, part.last + 1).map(({ name }) => name);
  const output = spelt[before.last].name;
  const inside = new Set(names(before));
  const wanted = spelt
    .slice(after.first, after.last + 1)
    .flatMap(({ inputs }) => inputs.filter((name) => inside.has(name)));
  const reorder = (list: readonly Spelt[]) =>
    shorten([
      ...list.slice(0, before.first),
      ...list.slice(after.first, after.last + 1),
      ...list.slice(before.first, before.last + 1),
      ...list.slice(after.last + 1),
    ]);
  if (wanted.length === 0) return reorder(spelt);
  if (wanted.some((name) => name !== output) || mainInput(spelt, after) !== output) return undefined;
  const source = mainInput(spelt, before);
  const end = spelt[after.last].name;
  const within = (part: LayerRange) => (i: number) => i >= part.first && i <= part.last;
  let moved = retake(spelt, end, output, (i) => i > after.last);
  moved = retake(moved, source, end, within(before));
  moved = retake(moved, output, source, within(after));
  return reorder(moved);
}

/** Renames a layer everywhere. */
export const rename = (layers: readonly LayerData[], at: number, name: string): LayerData[] =>
  shorten(
    retake(spellOut(layers), layers[at].name, name).map((layer, i) =>
      i === at ? { ...layer, name } : layer,
    ),
  );

/** Sets attributes of a layer; undefined removes one. */
export const setAttributes = (
  layers: readonly LayerData[],
  at: number,
  changes: Readonly<Record<string, unknown>>,
): LayerData[] =>
  layers.map((layer, i) => {
    if (i !== at) return layer;
    const { attributes: old, ...rest } = layer;
    const entries = Object.entries({ ...old, ...changes }).filter(([, value]) => value !== undefined);
    return entries.length > 0 ? { ...rest, attributes: Object.fromEntries(entries) } : rest;
  });

/** Sets the inputs of a layer. */
export const setInputs = (layers: readonly LayerData[], at: number, inputs: readonly string[]): LayerData[] =>
  shorten(spellOut(layers).map((layer, i) => (i === at ? { ...layer, inputs } : layer)));
