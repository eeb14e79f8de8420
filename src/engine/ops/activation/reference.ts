/** A function of single numbers with its slope, in float64. */
export interface Elementwise {
  value(x: number): number;
  slope(x: number): number;
}

export const elementwiseForward = ({ value }: Elementwise, x: ArrayLike<number>): Float64Array =>
  Float64Array.from(x, value);

/** The gradient of x. */
export const elementwiseBackward = (
  { slope }: Elementwise,
  x: ArrayLike<number>,
  dy: ArrayLike<number>,
): Float64Array => Float64Array.from(x, (value, i) => dy[i] * slope(value));
