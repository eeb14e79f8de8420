import { Failure } from '../../base/result.ts';

/** Throws Failure('bad-input') unless `low <= value < high`. */
export function requireRange(
  optimizer: string,
  name: string,
  value: number,
  low: number,
  high = Infinity,
): void {
  if (value >= low && value < high) return;
  const range = high === Infinity ? `a number of at least ${low}` : `at least ${low} and below ${high}`;
  throw new Failure('bad-input', `${optimizer}: expected ${name} to be ${range}, found ${value}`);
}
