/** The square root of the sum of squares, of any number of numbers. */
export function normOf(numbers: Float32Array | Float64Array): number {
  let sum = 0;
  for (const number of numbers) sum += number * number;
  return Math.sqrt(sum);
}
