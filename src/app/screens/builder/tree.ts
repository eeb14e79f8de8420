/** The list of layers as rows: the image, layers, and blocks that can be expanded. */
import { findBlocks, type Block } from '../../../base/layers/blocks.ts';
import type { LayerRange } from '../../../base/layers/edit.ts';
import { IMAGE, type LayerData } from '../../../base/layers/layer.ts';

export interface LayerItem {
  kind: 'layer';
  /** The layer's name. */
  id: string;
  at: number;
}

export interface BlockItem {
  kind: 'block';
  id: string;
  block: Block;
  items: Item[];
}

export type Item = LayerItem | BlockItem;

/** `inside` is the name of the block that contains it. */
export type TreeRow = { level: number; part: LayerRange; inside?: string | undefined } & (
  | { kind: 'image'; id: typeof IMAGE }
  | LayerItem
  | (BlockItem & { open: boolean })
);

/** Layers and nested blocks of a part of the list. */
export function itemsOf(
  layers: readonly LayerData[],
  blocks: readonly Block[] = findBlocks(layers),
  first = 0,
  last = layers.length - 1,
): Item[] {
  const items: Item[] = [];
  for (let at = first; at <= last; at++) {
    const block = blocks.find((one) => one.first === at);
    if (!block) {
      items.push({ kind: 'layer', id: layers[at].name, at });
      continue;
    }
    const inner = itemsOf(layers, block.inner, block.first, block.last);
    items.push({ kind: 'block', id: blockId(layers, block), block, items: inner });
    at = block.last;
  }
  return items;
}

/** A block is identified by its join: its name may change during edits. */
const blockId = (layers: readonly LayerData[], { join }: Block): string => `block ${layers[join].name}`;

export const partOf = (item: Item): LayerRange =>
  item.kind === 'block'
    ? { first: item.block.first, last: item.block.last }
    : { first: item.at, last: item.at };

/** The visible rows, from the image on. @param open ids of the expanded blocks */
export function rowsOf(items: readonly Item[], open: ReadonlySet<string>): TreeRow[] {
  const below = (list: readonly Item[], level: number, inside?: string): TreeRow[] =>
    list.flatMap((item): TreeRow[] => {
      const place = { level, part: partOf(item), inside };
      if (item.kind === 'layer') return [{ ...item, ...place }];
      const isOpen = open.has(item.id);
      return [
        { ...item, ...place, open: isOpen },
        ...(isOpen ? below(item.items, level + 1, item.block.name) : []),
      ];
    });
  const image: TreeRow = { kind: 'image', id: IMAGE, level: 1, part: { first: -1, last: -1 } };
  return [image, ...below(items, 1)];
}

/** The largest layer or block directly before or after a part that does not contain the part itself. */
export function neighbour(
  items: readonly Item[],
  part: LayerRange,
  way: 'before' | 'after',
): LayerRange | undefined {
  const touches = (one: LayerRange) =>
    way === 'before' ? one.last === part.first - 1 : one.first === part.last + 1;
  for (const item of items) {
    const own = partOf(item);
    if (touches(own)) return own;
    if (item.kind === 'block') {
      const found = neighbour(item.items, part, way);
      if (found) return found;
    }
  }
  return undefined;
}

/** The ids of the blocks around a layer, outermost first. */
export function blocksAround(items: readonly Item[], at: number): string[] {
  for (const item of items) {
    if (item.kind !== 'block') continue;
    const { first, last } = partOf(item);
    if (at >= first && at <= last) return [item.id, ...blocksAround(item.items, at)];
  }
  return [];
}
