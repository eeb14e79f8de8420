import type { Options, Positional, Values } from './arguments.ts';
import type { Interruption } from './interruption.ts';
import type { Outputs } from './outputs.ts';

/** The context of a running command. */
export interface Run<O extends Options> {
  options: Values<O>;
  /** The positional arguments, in order. */
  positionals: readonly string[];
  /** Names of the options that were given; the others have their defaults. */
  given: ReadonlySet<string>;
  /** Prints a result: one line of JSON on standard output. Numbers that are not finite become null. */
  print(result: object): void;
  /** Prints a result that is text: code. */
  write(text: string): void;
  /** Prints a message for the user on standard error. */
  note(message: string): void;
  /** Those that options name are claimed; for files that a command finds out only when it runs. */
  outputs: Outputs;
  /** For commands that save their work when they are interrupted. */
  interruption: Interruption;
}

/** A command of the command line: the default export of commands/<its name>.ts. */
export interface Command<O extends Options = Options> {
  /** One line for the list of commands. */
  summary: string;
  options: O;
  positionals?: readonly Positional[];
  /** The declarations of its positional arguments. */
  expand?(words: readonly string[]): readonly string[];
  /** Returns when everything requested is done; throws on failure. */
  run(run: Run<O>): Promise<void> | void;
}

/** Gives a command's options their types. */
export const command = <O extends Options>(definition: Command<O>): Command =>
  definition as unknown as Command;
