/** The sizes of a convolution as text: as people type them, and as they stand in links to the Lab. */
import type { Pair } from '../../base/shape.ts';
import { showPadding } from '../../base/padding.ts';
import type { ConvSizes } from '../../worker/api.ts';

export const LETTERS = ['N', 'C', 'H', 'W', 'K', 'R', 'S'] as const;
export const PAIRS = ['stride', 'padding', 'dilation'] as const;

/** As typed: text until it is read. */
export type SizesText = Record<
  (typeof LETTERS)[number] | (typeof PAIRS)[number] | 'groups' | 'layout',
  string
>;

export const showPair = ([vertical, horizontal]: Pair): string =>
  vertical === horizontal ? String(vertical) : `${vertical}x${horizontal}`;

export function textOf(sizes: ConvSizes): SizesText {
  const { N, C, H, W, K, R, S, stride, padding, dilation, groups, layout } = sizes;
  const letters = { N, C, H, W, K, R, S, groups };
  return {
    ...(Object.fromEntries(Object.entries(letters).map(([name, value]) => [name, String(value)])) as Record<
      keyof typeof letters,
      string
    >),
    stride: showPair(stride),
    padding: showPadding(padding),
    dilation: showPair(dilation),
    layout,
  };
}
