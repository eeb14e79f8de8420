/** Blocks: ranges of a list of layers with one input, one output, and parallel branches inside. */
import { IMAGE, spellOut, type LayerData, type Spelt } from '../base/layers/layer.ts';
import { isElementwise } from './abouts.ts';

export interface Block {
  /** Indices in the list, inclusive. */
  first: number;
  last: number;
  /** The join of its branches: a sum or a concatenation. */
  join: number;
  /** The common prefix of its layers' names, "layer1.0", or else the name of the join. */
  name: string;
  /** Nested blocks. */
  inner: Block[];
}

/**
 * The outermost blocks, in order. A block is the shortest range that ends with a join, reads one output from before it,
 * and of which only the join's output is read outside; an activation right after the join is part of it. Two blocks are
 * nested or disjoint: if they overlapped, the overlap would be a shorter range for one of them.
 */
export function findBlocks(layers: readonly LayerData[]): Block[] {
  const spelt = spellOut(layers);
  const places = new Map(spelt.map(({ name }, i) => [name, i]));
  const takers = spelt.map((): number[] => []);
  spelt.forEach(({ inputs }, i) => {
    for (const name of inputs) takers[places.get(name) ?? -1]?.push(i);
  });
  const found: Block[] = [];
  spelt.forEach(({ inputs }, join) => {
    const first = inputs.length > 1 ? beginningOf(spelt, places, takers, join) : undefined;
    if (first === undefined) return;
    const activation = takers[join].length === 1 && takers[join][0] === join + 1;
    const last = activation && isElementwise(spelt[join + 1].op) ? join + 1 : join;
    const name = nameOf(spelt, first, join);
    const inner = found.filter((block) => block.first >= first);
    found.splice(found.length - inner.length, inner.length, { first, last, join, name, inner });
  });
  return found;
}

/** The start of the shortest range that ends with `join` and reads one output; undefined if there is none. */
function beginningOf(
  layers: readonly Spelt[],
  places: ReadonlyMap<string, number>,
  takers: readonly (readonly number[])[],
  join: number,
): number | undefined {
  const outside = new Set(layers[join].inputs);
  for (let i = join - 1; i >= 0; i--) {
    // A layer that is also read after the join cannot be inside.
    if (takers[i].some((taker) => taker > join)) return undefined;
    outside.delete(layers[i].name);
    for (const name of layers[i].inputs) outside.add(name);
    if (outside.size === 1) {
      const [source] = outside;
      return source === IMAGE || (places.get(source) ?? i) < i ? i : undefined;
    }
  }
  return undefined;
}

function nameOf(layers: readonly Spelt[], first: number, join: number): string {
  const parts = layers.slice(first, join + 1).map(({ name }) => name.split('.'));
  let shared = 0;
  // The join may have exactly the block's name.
  while (parts.every((part) => part.length > shared && part[shared] === parts[0][shared])) shared++;
  return parts[0].slice(0, shared).join('.') || layers[join].name;
}
