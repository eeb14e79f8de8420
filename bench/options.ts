/** What all benchmarks accept on their command lines, and how it is read. */
import { Failure } from '../src/base/result.ts';
import { integer, parse, withDefault, type Option, type Options, type Values } from '../src/cli/arguments.ts';

/** Libraries are measured in turns: a round of one, a round of the next, so that whatever else the machine does meets all. */
export interface TurnsOptions {
  rounds: number;
  /** How long a round should last, about. */
  roundMs: number;
}

/** The options of every benchmark that takes turns. @param usual what holds by default */
export const turnsOptions = ({ rounds, roundMs }: TurnsOptions) => ({
  rounds: withDefault(integer('N', 'rounds of each library', { min: 1 }), rounds),
  'round-ms': withDefault(integer('N', 'milliseconds that a round should last', { min: 1 }), roundMs),
});

/** Many values of `one`, separated by commas. */
export const listOf = <T>(one: Option<T>): Option<readonly T[]> => ({
  summary: `${one.summary}, separated by commas`,
  placeholder: `${one.placeholder},...`,
  read: (all, name) => all.flatMap((list) => list.split(',').map((text) => one.read([text], name))),
});

/** Reads the command line; ends the process with status 2 and one line if it is wrong. */
export function readOptions<O extends Options>(words: readonly string[], options: O): Values<O> {
  try {
    const { options: found, help } = parse(words, options);
    if (!help) return found;
    const lines = Object.entries(options).map(
      ([name, { placeholder = '', summary, fallback }]) =>
        `  --${name} ${placeholder}  ${summary} (default: ${String(fallback?.value)})`,
    );
    console.log(lines.join('\n'));
    process.exit(0);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
    process.exit(2);
  }
}
