/** Texts of a layer, for its row and its node. */
import type { LayerData } from '../../../base/layers/layer.ts';
import type { Shape, Pair } from '../../../base/shape.ts';

const by = (pair: unknown): string | undefined =>
  Array.isArray(pair) ? pair.map((one) => String(one)).join(' × ') : undefined;
const isOther = (pair: unknown, fallback: number): pair is Pair =>
  Array.isArray(pair) && pair.some((one) => one !== fallback);

/** A name without the prefix of its block: "conv1" for "layer1.0.conv1". */
export const within = (block: string | undefined, name: string): string =>
  block !== undefined && name.startsWith(`${block}.`) ? name.slice(block.length + 1) : name;

/**
 * The most important attributes: "16 filters of 3 × 3, stride 2".
 * @param block the name of the block that contains the layer
 */
export function detailsOf({ op, attributes = {}, inputs = [] }: LayerData, block?: string): string {
  const { outChannels, outFeatures, kernelSize, stride, groups, outputSize, pieces, p } = attributes;
  const parts: (string | false | undefined)[] = (() => {
    switch (op) {
      case 'conv':
        return [
          `${String(outChannels)} filters of ${by(kernelSize) ?? '?'}`,
          isOther(stride, 1) && `stride ${stepOf(stride)}`,
          typeof groups === 'number' && groups > 1 && `${groups} groups`,
        ];
      case 'linear':
        return [`${String(outFeatures)} outputs`];
      case 'max_pool':
      case 'avg_pool':
        return [
          `windows of ${by(kernelSize) ?? '?'}`,
          by(stride) !== by(kernelSize) && stride !== undefined && `stride ${stepOf(stride)}`,
        ];
      case 'adaptive_avg_pool':
      case 'adaptive_max_pool':
        return [isOther(outputSize, 1) && `to ${by(outputSize)}`];
      case 'maxout':
        return [`of ${String(pieces)}`];
      case 'dropout':
        return [`p = ${String(p ?? 0.5)}`];
      case 'add':
        return [inputs.map((name) => within(block, name)).join(' + ')];
      case 'concat':
        return [`${inputs.length} branches`];
      default:
        return [];
    }
  })();
  return parts.filter(Boolean).join(', ');
}

const stepOf = (pair: unknown): string =>
  Array.isArray(pair) && pair[0] === pair[1] ? String(pair[0]) : (by(pair) ?? '?');

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
