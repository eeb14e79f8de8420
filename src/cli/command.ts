import type { Options, Positional, Values } from './arguments.ts';

/** What a command has in hand while it runs. */
export interface Run<O extends Options> {
  options: Values<O>;
  /** The words that belong to no option, in order. */
  positionals: readonly string[];
  /** Names of the options that were given; the others have their defaults. */
  given: ReadonlySet<string>;
  /** Prints a result: one line of JSON on standard output. Numbers that are not finite become null. */
  print(result: object): void;
  /** Tells people something, on standard error. */
  note(message: string): void;
}

/** A command of the command line: the default export of commands/<its name>.ts. */
export interface Command<O extends Options = Options> {
  /** One line for the list of commands. */
  summary: string;
  options: O;
  positionals?: readonly Positional[];
  /** What the words of the line stand for, before they are read. */
  expand?(words: readonly string[]): readonly string[];
  /** Fails by throwing. Returns when everything that was asked for is done. */
  run(run: Run<O>): Promise<void> | void;
}

/** Gives a command's options their types. */
export const command = <O extends Options>(definition: Command<O>): Command =>
  definition as unknown as Command;
