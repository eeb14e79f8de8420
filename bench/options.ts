/** What both benchmarks can be told on their command lines. */
import { Failure } from '../src/base/result.ts';
import { integer, parse, withDefault, type Option } from '../src/cli/arguments.ts';
import type { OptimizerName } from './lenet5/peer.ts';
import type { TurnsOptions } from './turns.ts';

export const OPTIMIZERS: readonly OptimizerName[] = ['sgd', 'adam'];

export interface Settings extends TurnsOptions {
  batchSizes: readonly number[];
}

const one = integer('N', '', { min: 1 });
const sizes: Option<readonly number[]> = {
  summary: 'images a step, separated by commas',
  placeholder: 'N,...',
  read: (all, name) => all.flatMap((list) => list.split(',').map((size) => one.read([size], name))),
};

/** Reads the command line; ends the process with status 2 and one line if it is wrong. */
export function readSettings(words: readonly string[], usual: Settings): Settings {
  const options = {
    'batch-size': withDefault(sizes, usual.batchSizes),
    rounds: withDefault(integer('N', 'rounds of each library', { min: 1 }), usual.rounds),
    'round-ms': withDefault(integer('N', 'milliseconds that a round should last', { min: 1 }), usual.roundMs),
  };
  try {
    const { options: found, help } = parse(words, options);
    if (help) {
      const lines = Object.entries(options).map(
        ([name, { placeholder, summary, fallback }]) =>
          `  --${name} ${placeholder}  ${summary} (default: ${String(fallback?.value)})`,
      );
      console.log(lines.join('\n'));
      process.exit(0);
    }
    return {
      batchSizes: found['batch-size'],
      rounds: found.rounds,
      roundMs: found['round-ms'],
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}
