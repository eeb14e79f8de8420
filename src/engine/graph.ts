/** The inputs of each layer: a network is a graph whose layers are listed in an order in which they can run. */
import { Failure } from '../base/result.ts';

/** A layer as data: what a model file lists. */
export interface Layer {
  /** PyTorch's name of the module; its parameters are `${name}.weight` and so on. */
  readonly name: string;
  /** Name of an op. */
  readonly op: string;
  /** Its inputs: names of earlier layers, or "input" for the images. Default: the layer before, or the images. */
  readonly inputs?: readonly string[];
  /** The op's attributes, under PyTorch's names in camel case. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** The images' name in `Layer.inputs`. */
export const INPUT = 'input';
/** The images' index in `sourcesOf`. */
export const IMAGES = -1;

/** How many names a message lists. */
const MAX_NAMES = 20;

/** As in messages: layers[3] "conv2". */
export const placeOf = (layers: readonly Layer[], i: number): string => `layers[${i}] "${layers[i].name}"`;

/**
 * For every layer, the indices of its inputs in the list, IMAGES for the images.
 * @throws Failure('bad-input') for names that are duplicate, unknown, of a later layer or part of a cycle, and for
 *   layers other than the last whose output is never read
 */
export function sourcesOf(layers: readonly Layer[]): number[][] {
  const places = new Map<string, number>();
  layers.forEach(({ name }, i) => {
    if (name === INPUT) throw bad(layers, i, `"${INPUT}" is reserved for the input; choose another name`);
    if (places.has(name)) throw bad(layers, i, 'duplicate layer name');
    places.set(name, i);
  });
  const sources = layers.map(({ inputs }, i) => {
    if (inputs === undefined) return [i - 1];
    if (inputs.length === 0) throw bad(layers, i, 'inputs: expected at least one name, found none');
    return inputs.map((name) => {
      if (name === INPUT) return IMAGES;
      const place = places.get(name);
      if (place !== undefined) return place;
      const names = layers.slice(0, i).map((layer) => layer.name);
      const known = names.length > MAX_NAMES ? ['...', ...names.slice(-MAX_NAMES)] : [INPUT, ...names];
      throw bad(layers, i, `inputs: no layer is named "${name}"`, `Before it come: ${known.join(', ')}.`);
    });
  });
  sources.forEach((taken, i) => {
    const later = taken.find((source) => source >= i);
    if (later === undefined) return;
    const way = wayBetween(sources, later, i);
    const { name } = layers[later];
    throw way
      ? bad(layers, i, `inputs: a cycle: ${[i, ...way].map((k) => layers[k].name).join(' reads ')}`)
      : bad(
          layers,
          i,
          `inputs: "${name}" is layers[${later}], which comes later`,
          'List each layer after its inputs.',
        );
  });
  const taken = new Set(sources.flat());
  layers.forEach((_, i) => {
    if (i < layers.length - 1 && !taken.has(i)) throw bad(layers, i, 'its output is not used');
  });
  return sources;
}

/** The layers from `from` to `to`, each reading the next; undefined if `from` does not depend on `to`. */
function wayBetween(
  sources: readonly number[][],
  from: number,
  to: number,
  seen = new Set<number>(),
): number[] | undefined {
  if (from === to) return [to];
  if (from === IMAGES || seen.has(from)) return undefined;
  seen.add(from);
  for (const source of sources[from]) {
    const way = wayBetween(sources, source, to, seen);
    if (way) return [from, ...way];
  }
  return undefined;
}

const bad = (layers: readonly Layer[], i: number, message: string, advice?: string) =>
  new Failure('bad-input', `${placeOf(layers, i)}: ${message}`, advice);
