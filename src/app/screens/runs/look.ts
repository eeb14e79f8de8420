/** The look of runs where several are drawn: twelve colours, each with a dash that its neighbours do not have. */

export const LOOKS = 12;

const DASHES: readonly (readonly number[])[] = [[], [9, 4], [2, 3]];

export interface LineLook {
  /** A token of colours.css. */
  colour: string;
  /** Lengths of strokes and gaps, in pixels; a plain line has none. */
  dash: readonly number[];
}

export const lookOf = (i: number): LineLook => ({
  colour: `--run-${1 + (i % LOOKS)}`,
  // After twelve runs the colours come again, with other dashes.
  dash: DASHES[(i + Math.floor(i / LOOKS)) % DASHES.length],
});
