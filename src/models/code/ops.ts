/** Each op in PyTorch: as a module, and as an expression if it has no state. */
import type { Argument } from '../../ops/formats.ts';
import { unsupported, type SourceLayer } from '../../ops/layer.ts';
import { FORMATS } from '../../ops/writers.ts';

const torchOf = ({ op }: SourceLayer) => FORMATS.get(op).pytorch;

/** Whether padding is a step before the layer, because its module cannot add it. */
export const padsApart = (layer: SourceLayer): boolean => torchOf(layer).pad?.(layer) !== undefined;

/** The layer's input, with the padding that its module cannot add. */
export function paddedInput(layer: SourceLayer, input: string): string {
  const sides = torchOf(layer).pad?.(layer);
  return sides === undefined ? input : `F.pad(${input}, ${sides})`;
}

/** A layer as a PyTorch module, in parts; undefined if PyTorch has no such module. */
export const modulePartsOf = (layer: SourceLayer): (string | Argument)[] | undefined =>
  torchOf(layer).module?.(layer);

/** Whether it is readable around another call. */
export const isLight = (layer: SourceLayer): boolean => !torchOf(layer).heavy;

/** The expression of an op without state. */
export function expressionOf(layer: SourceLayer, inputs: readonly string[]): string {
  const text = torchOf(layer).call?.(layer, inputs);
  if (text === undefined) throw unsupported(layer, 'PyTorch', `it has no expression for “${layer.op}”`);
  return text;
}

/** The Python functions that a text calls. */
export const helpersOf = (text: string): string[] => {
  const all = FORMATS.all().flatMap(({ pytorch }) => Object.entries(pytorch.helpers ?? {}));
  return [...new Map(all)].filter(([name]) => text.includes(`${name}(`)).map(([, helper]) => helper);
};
