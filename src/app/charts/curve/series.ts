/** What legends and axes say of lines, without the code that draws them. */

export interface PlotSeries {
  label: string;
  /** A token: "--series-train". */
  colour: string;
  /** Another token, and its share of the colour: 0 to 1. */
  mix?: { colour: string; share: number };
  width: number;
}

/** A series' colour. @param of a token as CSS has it here */
export const colourOf = (
  { colour, mix }: Pick<PlotSeries, 'colour' | 'mix'>,
  of: (name: string) => string,
): string => {
  if (!mix) return of(colour);
  return `color-mix(in oklch, ${of(mix.colour)} ${Math.round(100 * mix.share)}%, ${of(colour)})`;
};

/** A number at an axis: "20k". */
export const compact = (value: number): string =>
  value >= 1e6 ? `${value / 1e6}M` : value >= 1e4 ? `${value / 1e3}k` : String(value);
