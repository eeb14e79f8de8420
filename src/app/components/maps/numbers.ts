/** Arithmetic on activations, and numbers as text. */

export interface NumberRange {
  least: number;
  most: number;
}

/** Of the numbers that are finite; 0 to 0 if there are none. */
export function rangeOf(values: ArrayLike<number>, from = 0, to = values.length): NumberRange {
  let [least, most] = [Infinity, -Infinity];
  for (let i = from; i < to; i++) {
    if (values[i] < least) least = values[i];
    if (values[i] > most && values[i] !== Infinity) most = values[i];
  }
  return Number.isFinite(least) && Number.isFinite(most) ? { least, most } : { least: 0, most: 0 };
}

/** What the strongest colour stands for: the larger of both ends without their signs. */
export const reachOf = ({ least, most }: NumberRange): number => Math.max(Math.abs(least), Math.abs(most));

export interface Channel extends NumberRange {
  /** Nothing but zeros. */
  silent: boolean;
}

export function channelsOf(values: Float32Array, count: number): Channel[] {
  const size = values.length / count;
  return Array.from({ length: count }, (_, channel) => {
    const range = rangeOf(values, channel * size, (channel + 1) * size);
    const silent = range.least === 0 && range.most === 0;
    return { ...range, silent: silent && values[channel * size] === 0 };
  });
}

/** Where the largest number without its sign lies in a part of an array; the first of equals. */
export function strongest(values: ArrayLike<number>, from: number, to: number): number {
  let found = from;
  for (let i = from; i < to; i++) if (Math.abs(values[i]) > Math.abs(values[found])) found = i;
  return found - from;
}

const MINUS = '−';

/** A number to so many significant digits, with a real minus sign: "−0.0312". */
export function digits(value: number, count = 3): string {
  if (!Number.isFinite(value)) return String(value).replace('-', MINUS);
  const size = Math.abs(value);
  const text =
    value !== 0 && (size < 1e-3 || size >= 10 ** Math.max(count, 5))
      ? value.toExponential(count - 1).replace('e+', 'e')
      : value.toPrecision(count);
  return text.replaceAll('-', MINUS);
}

/** A number of a table whose largest is `reach`: all of them with as many places as give that one three digits. */
export function fixed(value: number, reach: number): string {
  if (!Number.isFinite(value)) return digits(value);
  if (value === 0) return '0';
  const places = Math.max(0, Math.min(8, 2 - Math.floor(Math.log10(reach))));
  return value.toFixed(places).replace('-', MINUS);
}
