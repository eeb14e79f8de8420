import type { RandomProgram } from './program.ts';
import { NAN_WORD } from './tree.ts';

/** What is wrong in what a program has written. */
export function differenceIn(
  { expected, scalars }: RandomProgram,
  found: readonly Uint32Array[],
): string | undefined {
  for (const [binding, words] of expected.entries()) {
    const at = words.findIndex((word, i) => {
      const other = found[binding][i];
      const isNan = scalars[binding] === 'f32' && (other & 0x7fffffff) > 0x7f800000;
      return word !== (isNan ? NAN_WORD : other);
    });
    if (at >= 0) return `binding ${binding}, word ${at}: ${found[binding][at]}, expected ${words[at]}`;
  }
  return undefined;
}
