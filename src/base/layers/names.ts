/** Names for new layers. */
import type { LayerData } from './layer.ts';

/** "conv1", or "conv2" if that is in use, and so on. */
export function freshName(taken: ReadonlySet<string>, stem: string, from = 1): string {
  for (let n = from; ; n++) if (!taken.has(`${stem}${n}`)) return `${stem}${n}`;
}

/** The next free one after a name: "conv3" for "conv2", "fc2" for "fc". */
export function nextName(taken: ReadonlySet<string>, name: string): string {
  const [, stem, digits] = /^(.*?)(\d*)$/.exec(name) as RegExpExecArray;
  return freshName(taken, stem, digits === '' ? 2 : Number(digits) + 1);
}

/**
 * Copies of consecutive layers, under unused names: a common prefix is incremented ("layer1.0" to "layer1.1"),
 * otherwise each name. Inputs among the layers become inputs among the copies.
 * @param layers the whole list
 */
export function renamed(
  layers: readonly LayerData[],
  part: readonly LayerData[],
  prefix: string,
): LayerData[] {
  const taken = new Set(layers.map(({ name }) => name));
  const inside = (name: string) => name === prefix || name.startsWith(`${prefix}.`);
  const names = new Map<string, string>();
  if (part.length > 1 && part.every(({ name }) => inside(name))) {
    const prefixes = new Set<string>();
    for (const name of taken) {
      // Every prefix of a name in use.
      for (let at = name.length; at > 0; at = name.lastIndexOf('.', at - 1)) prefixes.add(name.slice(0, at));
    }
    const next = nextName(prefixes, prefix);
    for (const { name } of part) names.set(name, next + name.slice(prefix.length));
  } else {
    for (const { name } of part) {
      const next = nextName(taken, name);
      taken.add(next);
      names.set(name, next);
    }
  }
  return part.map((layer) => ({
    ...layer,
    name: names.get(layer.name) ?? layer.name,
    ...(layer.inputs ? { inputs: layer.inputs.map((name) => names.get(name) ?? name) } : {}),
  }));
}
