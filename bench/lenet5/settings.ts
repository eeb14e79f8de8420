/** What the benchmarks of training accept on their command lines. */
import { choice, integer, withDefault } from '../../src/cli/arguments.ts';
import { ENGINES, type Engine } from '../../src/node/gpu.ts';
import { listOf, readOptions, turnsOptions } from '../options.ts';
import type { TurnsOptions } from '../turns.ts';
import { OPTIMIZERS, type OptimizerName } from './peer.ts';

export interface Settings extends TurnsOptions {
  engine: Engine;
  optimizers: readonly OptimizerName[];
  batchSizes: readonly number[];
}

export function readSettings(
  words: readonly string[],
  usual: Omit<Settings, 'engine' | 'optimizers'>,
): Settings {
  const found = readOptions(words, {
    'batch-size': withDefault(listOf(integer('N', 'images a step', { min: 1 })), usual.batchSizes),
    engine: withDefault(choice(ENGINES, 'where all libraries compute; cpu: on one core'), 'gpu'),
    optimizer: withDefault(listOf(choice(OPTIMIZERS, 'optimisers')), OPTIMIZERS),
    ...turnsOptions(usual),
  });
  return {
    engine: found.engine,
    optimizers: found.optimizer,
    batchSizes: found['batch-size'],
    rounds: found.rounds,
    roundMs: found['round-ms'],
  };
}
