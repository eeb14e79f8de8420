/** What the benchmarks of training can be told on their command lines. */
import { integer, withDefault, type Option } from '../../src/cli/arguments.ts';
import { readOptions, turnsOptions } from '../options.ts';
import type { TurnsOptions } from '../turns.ts';

export interface Settings extends TurnsOptions {
  batchSizes: readonly number[];
}

const one = integer('N', '', { min: 1 });
const sizes: Option<readonly number[]> = {
  summary: 'images a step, separated by commas',
  placeholder: 'N,...',
  read: (all, name) => all.flatMap((list) => list.split(',').map((size) => one.read([size], name))),
};

export function readSettings(words: readonly string[], usual: Settings): Settings {
  const found = readOptions(words, {
    'batch-size': withDefault(sizes, usual.batchSizes),
    ...turnsOptions(usual),
  });
  return { batchSizes: found['batch-size'], rounds: found.rounds, roundMs: found['round-ms'] };
}
