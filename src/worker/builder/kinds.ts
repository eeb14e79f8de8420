/** Every type of layer that the Build screen offers: an op's texts and attributes. */
import { ops } from '../../engine/ops/registry.ts';
import { LAYER_GROUPS } from '../../ops/about.ts';
import { ABOUTS } from '../../ops/abouts.ts';
import type { LayerKind } from '../api.ts';

/** By group, in the order of the palette. */
export const LAYER_KINDS: readonly LayerKind[] = LAYER_GROUPS.flatMap((group) =>
  [...ABOUTS.values()]
    .filter((about) => about.group === group)
    .sort((a, b) => Number(b.first ?? false) - Number(a.first ?? false))
    .map(({ op, everyday, explanation, title, stem = op, attributes: texts = {} }) => {
      const { title: usual, attributes = {}, takes = [1, 1] } = ops.get(op);
      return {
        title: title ?? usual,
        everyday,
        explanation,
        op,
        group,
        stem,
        joins: takes[1] > 1,
        attributes: Object.entries(attributes).map(([name, own]) => ({ name, ...own, ...texts[name] })),
      };
    }),
);

/** The texts of the layers of an op. */
export const kindOf = (op: string): LayerKind | undefined => LAYER_KINDS.find((kind) => kind.op === op);
