/** What the short names of variants mean. */

import { variantName } from '../../components/variant-name.ts';

const PARTS: readonly { pattern: RegExp; meaning: string }[] = [
  {
    pattern: /\d+x\d+x\d+ \d+x\d+/,
    meaning: 'the tile of the matrix multiplication: rows × columns × depth, then rows × columns per thread',
  },
  {
    pattern: /\d+x\d+ \d+x\d+ unstaged/,
    meaning: 'a tile without copies in workgroup memory: rows × columns, then rows × columns per thread',
  },
  { pattern: /\d+ threads? per sum/, meaning: 'threads that share one sum' },
  { pattern: /\d+ slices/, meaning: 'a long sum cut into slices that are computed in parallel and added' },
  { pattern: /transposed/, meaning: 'the tensors are transposed to NCHW first, and back' },
  {
    pattern: /(\d+ )?workgroups of \d+/,
    meaning: 'the launch of the columns’ kernels: workgroups, and threads of each',
  },
  { pattern: /(four|three) products/, meaning: 'real multiplications per complex one' },
  { pattern: /\d+x\d+ points|tile \d+(?=,|$)/, meaning: 'the size of the Fourier transform' },
  { pattern: /\S+ at a time/, meaning: 'the columns are computed in pieces that fit the workspace' },
  { pattern: /\d+ high, \d+ wide/, meaning: 'the outputs that a workgroup computes together' },
];

/** An example of each part that occurs in these names, with its meaning. */
export function legendOf(names: readonly string[]): [example: string, meaning: string][] {
  return PARTS.flatMap(({ pattern, meaning }): [string, string][] => {
    const found = names
      .map((name) => pattern.exec(variantName(name))?.[0])
      .find((text) => text !== undefined);
    return found === undefined ? [] : [[found, meaning]];
  });
}
