/** Blocks: stretches of a list of layers that have one way in and one way out, and ways beside each other inside. */
import { IMAGE, spellOut, type LayerData, type Spelt } from './layer.ts';

export interface Block {
  /** Places in the list, both included. */
  first: number;
  last: number;
  /** Where its ways meet: a sum or a concatenation. */
  join: number;
  /** What its layers' names start with, "layer1.0", or else the name of the join. */
  name: string;
  /** Blocks inside it. */
  inner: Block[];
}

/** Ops that change nothing but each number: one behind a join belongs to the block. */
const ELEMENTWISE = new Set([
  ...['relu', 'leaky_relu', 'elu', 'gelu', 'silu', 'sigmoid', 'tanh', 'softplus', 'dropout'],
]);

/**
 * The outermost blocks, in order. A block is the shortest stretch that ends with a join, takes one thing from before it,
 * and gives nothing away but the output of the join; an activation right behind the join is part of it. Two blocks lie one
 * in the other or apart: had they a part in common, that part would be the shorter stretch of one of them.
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
    const last = activation && ELEMENTWISE.has(spelt[join + 1].op) ? join + 1 : join;
    const name = nameOf(spelt, first, join);
    const inner = found.filter((block) => block.first >= first);
    found.splice(found.length - inner.length, inner.length, { first, last, join, name, inner });
  });
  return found;
}

/** Where the shortest stretch starts that ends with `join` and takes one thing; undefined if there is none. */
function beginningOf(
  layers: readonly Spelt[],
  places: ReadonlyMap<string, number>,
  takers: readonly (readonly number[])[],
  join: number,
): number | undefined {
  const outside = new Set(layers[join].inputs);
  for (let i = join - 1; i >= 0; i--) {
    // What something behind the join takes too cannot be inside.
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
  // The join itself may bear the block's name alone.
  while (parts.every((part) => part.length > shared && part[shared] === parts[0][shared])) shared++;
  return parts[0].slice(0, shared).join('.') || layers[join].name;
}
