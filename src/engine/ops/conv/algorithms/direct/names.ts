/** What the launches of `direct` are called. */

export const NAMES = {
  plain: 'a thread an output',
  tile: 'input tile in workgroup memory',
  uniform: 'input tile in workgroup memory, weights in a uniform',
  blocked: 'several outputs a thread',
  weight: 'a thread a weight',
  shared: 'a workgroup a filter and channel',
} as const;

/** A tile of the step that tunes it. */
export const tileName = (height: number, width: number): string =>
  `${NAMES.uniform}, tile ${height} high, ${width} wide`;

export const blockName = (height: number, width: number, filters: number): string =>
  `${NAMES.blocked}, tile ${height} high, ${width} wide, ${filters} filters`;
