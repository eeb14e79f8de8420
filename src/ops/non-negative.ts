/** Which values of a network are at least 0: there, max pooling can pad with zeros. */
import type { SourceLayer } from './layer.ts';
import { FORMATS } from './writers.ts';

/** Whether an op's outputs are at least 0 everywhere. @param inputs whether all of its inputs are */
export function isNonNegative(op: string, inputs: () => boolean): boolean {
  const { nonNegative } = FORMATS.get(op).tfjs;
  return nonNegative === 'always' || (nonNegative === 'keeps' && inputs());
}

/** By layer: whether its first input is at least 0 everywhere. */
export function nonNegativeInputs(layers: readonly SourceLayer[]): boolean[] {
  const outputs: boolean[] = [];
  return layers.map(({ op, sources }) => {
    const inputs = sources.map((source) => source >= 0 && outputs[source]);
    outputs.push(isNonNegative(op, () => inputs.every(Boolean)));
    return inputs[0];
  });
}
