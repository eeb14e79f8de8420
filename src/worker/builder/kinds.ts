/** Every type of layer that the Build screen offers: an op's texts with its limits. */
import { ops } from '../../engine/ops/registry.ts';
import { LAYER_GROUPS, type AttributeAbout } from '../../ops/about.ts';
import { ABOUTS } from '../../ops/abouts.ts';
import type { AttributeSpec } from '../../ops/attributes.ts';
import type { LayerAttribute, LayerKind } from '../api.ts';

/** By group, in the order of the palette. */
export const LAYER_KINDS: readonly LayerKind[] = LAYER_GROUPS.flatMap((group) =>
  [...ABOUTS.values()]
    .filter((about) => about.group === group)
    .sort((a, b) => Number(b.first ?? false) - Number(a.first ?? false))
    .map(({ op, everyday, explanation, title, stem = op, attributes = {} }) => {
      const { title: usual, attributes: specs = {}, takes = [1, 1] } = ops.get(op);
      return {
        title: title ?? usual,
        everyday,
        explanation,
        op,
        group,
        stem,
        joins: takes[1] > 1,
        attributes: Object.entries(attributes).map(([name, said]) => attributeOf(name, said, specs[name])),
      };
    }),
);

/** The texts of the layers of an op. */
export const kindOf = (op: string): LayerKind | undefined => LAYER_KINDS.find((kind) => kind.op === op);

/** Texts and limits together. Texts for an attribute that the op does not have, or has in another kind, are a bug. */
function attributeOf(name: string, words: AttributeAbout, spec: AttributeSpec | undefined): LayerAttribute {
  switch (words.kind) {
    case 'whole':
    case 'pair':
      if (spec?.kind === words.kind) return { name, ...words, least: spec.least };
      break;
    case 'padding':
      if (spec?.kind === 'padding') return { name, ...words };
      break;
    case 'number':
      if (spec?.kind === 'number') return { name, ...spec, ...words };
      break;
    case 'flag':
      if (spec?.kind === 'flag') return { name, ...words, kind: 'switch' };
      break;
    case 'choice':
      if (spec?.kind === 'choice') return { name, ...words, options: spec.of };
  }
  throw new Error(
    `wgrad bug: expected the ${words.kind} "${words.title}" as ${name} of the op, found ${spec?.kind}`,
  );
}
