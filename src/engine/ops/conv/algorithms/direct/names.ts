/** Names of the launches of `direct`. Checkpoints and tuning results store them: one that changes is not found there any more. */

export const NAMES = {
  plain: 'one thread per output',
  tile: 'input tile in workgroup memory',
  staged: 'input tile of all channels in workgroup memory',
  uniform: 'input tile in workgroup memory, weights in a uniform',
  whole: 'input tile of all channels in workgroup memory, weights in a uniform',
  blocked: 'several outputs per thread',
  weight: 'one thread per weight',
  shared: 'one workgroup per filter and channel',
  row: 'one thread per row of several filters',
} as const;

/** A tile of a tuned step. */
export const tileName = (step: string, height: number, width: number): string =>
  `${step}, tile ${height} high, ${width} wide`;

export const blockName = (height: number, width: number, filters: number): string =>
  `${NAMES.blocked}, tile ${height} high, ${width} wide, ${filters} filters`;
