/** What steps.json lists: training steps, and the modes of PyTorch that "its fastest" is the fastest of: all, or it is not said. */
import { readFileSync } from 'node:fs';
import { fastestOf, type Statistic } from './statistic.ts';

const { rows, pytorch } = JSON.parse(readFileSync(new URL('./steps.json', import.meta.url), 'utf8')) as {
  rows: readonly { model: string; batch_size: number; optimizer: string }[];
  pytorch: Record<'arithmetic' | 'runs' | 'layouts', readonly string[]>;
};

/** The steps of README's first table. */
export const ROWS = rows
  .filter(({ optimizer }) => optimizer === 'sgd')
  .map(({ model, batch_size: batchSize, optimizer }) => ({ model, batchSize, optimizer }));

/** All kinds of numbers that PyTorch can compute with. */
export const ARITHMETIC = pytorch.arithmetic;
export const RUNS = pytorch.runs;
export const LAYOUTS = pytorch.layouts;

/** The names that pytorch_steps.py prints. */
export const modesOf = (arithmetic: readonly string[] = ARITHMETIC): string[] =>
  arithmetic.flatMap((one) => RUNS.flatMap((run) => LAYOUTS.map((layout) => `${one}, ${run}, ${layout}`)));

/** How many of the modes were measured, where not all were. */
export interface Incomplete {
  measured: number;
  of: number;
}

/** The fastest of all modes with this arithmetic. @param times medians by mode, in milliseconds, of one step on one card */
export function fastestMode(
  times: ReadonlyMap<string, number>,
  arithmetic?: readonly string[],
): Statistic | Incomplete {
  const wanted = modesOf(arithmetic);
  const known = wanted.flatMap((mode) => times.get(mode) ?? []);
  return known.length === wanted.length ? fastestOf(known) : { measured: known.length, of: wanted.length };
}
