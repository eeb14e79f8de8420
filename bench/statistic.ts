/** A number that stands for many, with what a sentence must say of it: how it was made of them, and how many they were. */
import { spreadOf, type Spread } from '../src/gpu/timing.ts';

export interface Statistic {
  value: number;
  word: 'mean' | 'median' | 'fastest';
  /** Of so many. */
  n: number;
  /** Between these lie the many; of samples, eight of ten. */
  spread: readonly [low: number, high: number];
}

const rangeOf = (values: readonly number[]) => [Math.min(...values), Math.max(...values)] as const;

/** @throws Error if there are none */
function some(values: readonly number[]): readonly number[] {
  if (values.length === 0) throw new Error('expected values to make a statistic of, found none');
  return values;
}

export const meanOf = (values: readonly number[]): Statistic => ({
  value: values.reduce((sum, value) => sum + value, 0) / some(values).length,
  word: 'mean',
  n: values.length,
  spread: rangeOf(values),
});

export const medianOf = (values: readonly number[]): Statistic => ({
  value: spreadOf(some(values)).median,
  word: 'median',
  n: values.length,
  spread: rangeOf(values),
});

/** The least of times. */
export const fastestOf = (times: readonly number[]): Statistic => ({
  value: Math.min(...some(times)),
  word: 'fastest',
  n: times.length,
  spread: rangeOf(times),
});

/** What a benchmark printed of its samples. */
export const sampled = ({ median, p10, p90 }: Spread, n: number): Statistic => ({
  value: median,
  word: 'median',
  n,
  spread: [p10, p90],
});

/** "median of 20 samples", "medians of 2 to 20 processes". @throws Error unless one word holds for all */
export function saidOf(all: readonly Statistic[], things: string): string {
  const [word, ...others] = new Set(all.map((one) => one.word));
  if (others.length > 0) throw new Error(`one sentence about the ${[word, ...others].join(' and the ')}`);
  const [least, most] = rangeOf(all.map(({ n }) => n));
  const many = all.length > 1 && word !== 'fastest' ? `${word}s` : word;
  return `${many} of ${least === most ? least : `${least} to ${most}`} ${things}`;
}
