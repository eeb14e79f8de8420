/** Texts of a row, for the list and the graph. */
import type { LayerData } from '../../../base/layers/layer.ts';
import type { Shape } from '../../../base/shape.ts';
import { ABOUTS } from '../../../ops/abouts.ts';
import type { LayerKind } from '../../../worker/api.ts';
import { build as texts } from '../../messages/en/build.tsx';
import type { TreeRow } from './tree.ts';

/** What a row is: "Image", "Residual block", "Convolution". */
export function titleOf(
  row: TreeRow,
  layers: readonly LayerData[],
  kinds: readonly LayerKind[] = [],
): string {
  if (row.kind === 'image') return texts.inspector.image;
  if (row.kind === 'block')
    return layers[row.block.join].op === 'add' ? texts.inspector.residual : texts.inspector.parallel;
  const { op } = layers[row.at];
  return kinds.find((kind) => kind.op === op)?.title ?? op;
}

/** How many layers a block has, or a layer's most important attributes; empty for the image. */
export function subtitleOf(row: TreeRow, layers: readonly LayerData[]): string {
  if (row.kind === 'image') return '';
  if (row.kind === 'block') return texts.list.layers(row.part.last - row.part.first + 1);
  return detailsOf(layers[row.at], row.inside);
}

/** The name of a layer or a block, without the prefix of the block that contains it. */
export const nameIn = (row: TreeRow): string =>
  within(row.inside, row.kind === 'block' ? row.block.name : row.id);

/** A name without the prefix of its block: "conv1" for "layer1.0.conv1". */
export const within = (block: string | undefined, name: string): string =>
  block !== undefined && name.startsWith(`${block}.`) ? name.slice(block.length + 1) : name;

/**
 * The most important attributes: "16 filters of 3 × 3, stride 2".
 * @param block the name of the block that contains the layer
 */
export function detailsOf({ op, attributes = {}, inputs = [] }: LayerData, block?: string): string {
  const inside = { op, attributes, inputs: inputs.map((name) => within(block, name)) };
  return (ABOUTS.get(op)?.details?.({ name: '', ...inside }) ?? []).filter(Boolean).join(', ');
}

/** "16 × 32 × 32" for [16, 32, 32]; a dash if unknown. */
export const shapeText = (shape: Shape | undefined): string => shape?.join(' × ') ?? '–';

const UNITS = [
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** "1.23 M" for 1234567; a dash for 0. */
export function amount(value: number): string {
  if (value === 0) return '–';
  for (const [size, unit] of UNITS) {
    if (value >= size * 0.9995) return `${Number((value / size).toPrecision(3))} ${unit}`;
  }
  return String(value);
}
