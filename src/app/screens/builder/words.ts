/** Texts of a layer, for its row and its node. */
import type { LayerData } from '../../../base/layers/layer.ts';
import type { Shape } from '../../../base/shape.ts';
import { ABOUTS } from '../../../ops/abouts.ts';

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
