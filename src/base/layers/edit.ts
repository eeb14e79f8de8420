/**
 * Edits of a list of layers that keep its graph in order: a layer's output still reaches its consumers. Each answers a
 * new list. A part is a layer or a block: it has a main input, and the output of its last layer.
 */
import { IMAGE, placeOf, shorten, spellOut, type LayerData, type Spelt } from './layer.ts';
import { renamed } from './names.ts';

/** Places in the list, both included. */
export interface Part {
  first: number;
  last: number;
}

const single = (at: number): Part => ({ first: at, last: at });

/**
 * What a part takes on its main way: for layers with several inputs the one that was computed last. A part that takes
 * nothing from outside, as a layer that takes itself, counts as taking what stands before it.
 */
function mainInput(layers: readonly Spelt[], { first, last }: Part): string {
  const part = layers.slice(first, last + 1);
  const inside = new Set(part.map(({ name }) => name));
  const outside = part.flatMap(({ inputs }) => inputs.filter((name) => !inside.has(name)));
  const [start = first === 0 ? IMAGE : layers[first - 1].name] = outside;
  return outside.reduce((main, name) => (placeOf(layers, name) > placeOf(layers, main) ? name : main), start);
}

/** The list with one name in place of another among what layers take. `among` says of which layers. */
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

/** New layers, one taking the other unless they say; the first, and what they call IMAGE, takes `source`. */
const attached = (added: readonly LayerData[], source: string): Spelt[] =>
  spellOut(added).map((layer) => ({
    ...layer,
    inputs: layer.inputs.map((name) => (name === IMAGE ? source : name)),
  }));

/**
 * Puts layers in behind a layer: all that took it takes the last of them.
 * @param at a place in the list, -1 for the image
 * @param added one takes the other unless they say; IMAGE stands for what is at `at`
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
 * @param at its place
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

/** Takes a part out: what took it takes what it took. */
export function remove(layers: readonly LayerData[], part: Part): LayerData[] {
  const spelt = spellOut(layers);
  const rest = retake(spelt, spelt[part.last].name, mainInput(spelt, part), (i) => i > part.last);
  return shorten([...rest.slice(0, part.first), ...rest.slice(part.last + 1)]);
}

/** A copy of a part behind it. @param prefix what names in it start with; its own copies count on */
export function duplicate(layers: readonly LayerData[], part: Part, prefix: string): LayerData[] {
  const spelt = spellOut(layers);
  const source = mainInput(spelt, part);
  const copied = spelt.slice(part.first, part.last + 1);
  const inside = new Set(copied.map(({ name }) => name));
  const loose = copied.map((layer) => ({
    ...layer,
    // Side inputs stay what they are; the main one is what the copy stands behind.
    inputs: layer.inputs.map((name) => (name === source && !inside.has(name) ? IMAGE : name)),
  }));
  return insertAfter(layers, part.last, renamed(layers, loose, prefix));
}

/**
 * Lets two parts that stand one behind the other change places. If the second takes the first, they change places on
 * their way, too: what took the second takes the first.
 * @returns undefined if the second takes something out of the first's inside, or takes it beside something else
 */
export function swap(layers: readonly LayerData[], before: Part, after: Part): LayerData[] | undefined {
  const spelt = spellOut(layers);
  const names = (part: Part) => spelt.slice(part.first, part.last + 1).map(({ name }) => name);
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
  const within = (part: Part) => (i: number) => i >= part.first && i <= part.last;
  let moved = retake(spelt, end, output, (i) => i > after.last);
  moved = retake(moved, source, end, within(before));
  moved = retake(moved, output, source, within(after));
  return reorder(moved);
}

/** Gives a layer another name, everywhere. */
export const rename = (layers: readonly LayerData[], at: number, name: string): LayerData[] =>
  shorten(
    retake(spellOut(layers), layers[at].name, name).map((layer, i) =>
      i === at ? { ...layer, name } : layer,
    ),
  );

/** Sets attributes of a layer; undefined takes one away. */
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

/** Sets what a layer takes. */
export const setInputs = (layers: readonly LayerData[], at: number, inputs: readonly string[]): LayerData[] =>
  shorten(spellOut(layers).map((layer, i) => (i === at ? { ...layer, inputs } : layer)));
