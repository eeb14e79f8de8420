/** What is typed as a number, and which numbers a field takes. */

export interface NumberRule {
  /** What to enter: "a whole number of at least 1". */
  expected: string;
  /** @param value undefined for an empty field, NaN for a text that is no number */
  accepts(value: number | undefined): boolean;
  /** Whether the arrow keys count up and down. */
  whole?: boolean;
}

interface Range {
  whole?: boolean;
  least: number;
  most?: number | undefined;
  /** `least` itself is not allowed. */
  above?: boolean | undefined;
  /** It can be empty. */
  optional?: boolean;
}

/** The rule of a range: "a whole number of at least 1", "a number above 0, up to 1". */
export function inRange({ whole, least, most = Infinity, above, optional }: Range): NumberRule {
  const bounds = Number.isFinite(most)
    ? above
      ? `above ${least}, up to ${most}`
      : `from ${least} to ${most}`
    : `${above ? 'above' : 'of at least'} ${least}`;
  return {
    expected: `a ${whole ? 'whole ' : ''}number ${bounds}`,
    accepts: (value) =>
      value === undefined
        ? optional === true
        : Number.isFinite(value) &&
          (!whole || Number.isInteger(value)) &&
          value <= most &&
          (above ? value > least : value >= least),
    whole,
  };
}

/**
 * The number in a text; NaN if it is none, undefined if it is empty. Decimals follow a point or a comma, whatever the
 * language, and nothing separates thousands: "1.000" and "1,000" are 1.
 */
export function numberIn(text: string): number | undefined {
  const plain = text.trim().replace(',', '.').replace('−', '-');
  if (plain === '') return undefined;
  // Number() alone would accept "0x10".
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
}
