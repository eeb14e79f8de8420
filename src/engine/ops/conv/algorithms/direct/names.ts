/** Names of the launches of `direct`. They are stored: FORMER_NAMES in ../../run.ts has those that have changed. */

export const NAMES = {
  plain: 'one thread per output',
  tile: 'input tile in workgroup memory',
  uniform: 'input tile in workgroup memory, weights in a uniform',
  blocked: 'several outputs per thread',
  weight: 'one thread per weight',
  shared: 'one workgroup per filter and channel',
} as const;

/** A tile of the step that tunes it. */
export const tileName = (height: number, width: number): string =>
  `${NAMES.uniform}, tile ${height} high, ${width} wide`;

export const blockName = (height: number, width: number, filters: number): string =>
  `${NAMES.blocked}, tile ${height} high, ${width} wide, ${filters} filters`;
