/** Formats numbers for text. */

/** 12345 as "12,345". */
export const whole = (value: number): string => value.toLocaleString('en');

/** A change relative to what is changed: "1.4 % of their size", "140 times their size". */
export const ofTheirSize = (ratio: number): string =>
  ratio < 1
    ? `${(100 * ratio).toPrecision(2)} % of their size`
    : `${whole(Number(ratio.toPrecision(2)))} times their size`;

/** A loss: "2.30", "770,000", "7.7e+11". */
export const lossWords = (loss: number): string =>
  loss < 1000 ? loss.toPrecision(3) : loss < 1e6 ? whole(Number(loss.toPrecision(2))) : loss.toExponential(1);
