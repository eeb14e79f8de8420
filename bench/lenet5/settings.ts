/** What the benchmarks of training can be told on their command lines. */
import { integer, withDefault } from '../../src/cli/arguments.ts';
import { listOf, readOptions, turnsOptions } from '../options.ts';
import type { TurnsOptions } from '../turns.ts';

export interface Settings extends TurnsOptions {
  batchSizes: readonly number[];
}

export function readSettings(words: readonly string[], usual: Settings): Settings {
  const found = readOptions(words, {
    'batch-size': withDefault(listOf(integer('N', 'images a step', { min: 1 })), usual.batchSizes),
    ...turnsOptions(usual),
  });
  return { batchSizes: found['batch-size'], rounds: found.rounds, roundMs: found['round-ms'] };
}
