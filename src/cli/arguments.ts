/** Declares and reads a command's options. An error is a Failure('bad-input') of one line. */
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { parsePadding, type PaddingSetting } from '../base/padding.ts';
import { Failure } from '../base/result.ts';
import type { NamedFile, OutputFile } from './outputs.ts';

/** One `--option`: how help shows it, and how its value is read. Created by the functions below. */
export interface Option<T> {
  summary: string;
  /** The placeholder of the value in the help: "N". A flag has none. */
  placeholder?: string;
  /** True if it accepts several values, after one or several occurrences. */
  many?: boolean;
  /** The files that the command reads by it. */
  reads?(value: unknown): readonly NamedFile[];
  /** The files that the command writes by it; `runCommandLine` checks them before the command runs. Undefined: not given. */
  writes?(value: unknown): readonly OutputFile[];
  /** The default value, and how the help shows it. Absent: the option is required. */
  fallback?: { value: T; text?: string };
  /** @param texts the given values; one, unless `many`. @param name "--lr", for messages */
  read(texts: readonly string[], name: string): T;
}

export type Options = Readonly<Record<string, Option<unknown>>>;

export type Values<O extends Options> = { readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never };

interface Words<T> {
  placeholder: string;
  summary: string;
  fallback?: { value: T };
}

const single = <T>(words: Words<T>, read: (text: string, name: string) => T): Option<T> => ({
  ...words,
  read: (texts, name) => read(texts[texts.length - 1], name),
});

/** True if given. */
export const flag = (summary: string): Option<boolean> => ({
  summary,
  fallback: { value: false },
  read: () => true,
});

/** Any text: a name, a path. */
export const text = (placeholder: string, summary: string): Option<string> =>
  single({ placeholder, summary }, notEmpty);

/** The path of a file that the command reads, or of a folder. @param kind of what is in it */
export const inputFile = (
  placeholder: string,
  summary: string,
  kind?: NamedFile['kind'],
): Option<string> => ({ ...text(placeholder, summary), reads: (path) => [{ path: path as string, kind }] });

/**
 * The path of a file that the command writes.
 * @param files all files that it writes by it. Default: that one
 */
export const output = (
  placeholder: string,
  summary: string,
  files = (path: string): readonly OutputFile[] => [{ path }],
): Option<string> => ({
  ...text(placeholder, summary),
  writes: (path) => (path === undefined ? [] : files(path as string)),
});

/** Many texts: `--case A --case B` or `--case A B`. */
export const texts = (placeholder: string, summary: string): Option<readonly string[]> => ({
  placeholder: `${placeholder} ...`,
  summary,
  many: true,
  read: (all, name) => all.map((one) => notEmpty(one, name)),
});

export interface Bounds {
  min?: number;
  max?: number;
  /** The number must be greater than `min`, not equal. */
  above?: boolean;
}

/** A whole number. */
export const integer = (placeholder: string, summary: string, bounds: Bounds = {}): Option<number> =>
  single({ placeholder, summary }, (value, name) => {
    const number = readNumber(value, name, 'a whole number', bounds);
    if (!Number.isSafeInteger(number)) throw wrong(name, 'a whole number', value);
    return number;
  });

/** Whole numbers, separated by commas. */
export const integers = (
  placeholder: string,
  summary: string,
  bounds: Bounds = {},
): Option<readonly number[]> =>
  single({ placeholder, summary }, (value, name) =>
    value.split(',').map((part) => {
      const number = readNumber(part, name, 'whole numbers separated by commas', bounds);
      if (!Number.isSafeInteger(number)) throw wrong(name, 'whole numbers separated by commas', part);
      return number;
    }),
  );

/** A real number. */
export const real = (placeholder: string, summary: string, bounds: Bounds = {}): Option<number> =>
  single({ placeholder, summary }, (value, name) => readNumber(value, name, 'a number', bounds));

/** Real numbers, separated by commas. */
export const reals = (placeholder: string, summary: string, bounds: Bounds = {}): Option<readonly number[]> =>
  single({ placeholder, summary }, (value, name) =>
    value.split(',').map((part) => readNumber(part, name, 'numbers separated by commas', bounds)),
  );

const UNITS: Readonly<Record<string, number>> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30 };

/** An amount of memory: bytes, or KiB, MiB or GiB with the suffix K, M or G. */
export const bytes = (placeholder: string, summary: string): Option<number> =>
  single({ placeholder, summary }, (value, name) => {
    const [, digits, unit] = /^(\d+)([KMG]?)$/.exec(value) ?? [];
    const amount = Number(digits) * UNITS[unit];
    if (!Number.isSafeInteger(amount)) throw wrong(name, 'bytes, such as 65536, 64K, 64M or 1G', value);
    return amount;
  });

/** One of a few words. */
export const choice = <const C extends string>(choices: readonly C[], summary: string): Option<C> =>
  single({ placeholder: choices.join('|'), summary }, (value, name) => {
    const found = choices.find((one) => one === value);
    if (found === undefined) throw wrong(name, `one of ${choices.join(', ')}`, value);
    return found;
  });

/** Padding: a word, one number, two (vertical, horizontal) or four (top, bottom, left, right). */
export const padding = (summary: string): Option<PaddingSetting> =>
  single({ placeholder: 'same|valid|P|VxH|T,B,L,R', summary }, (value, name) => {
    const read = parsePadding(value);
    if (read === undefined)
      throw wrong(name, 'same, valid, 1, 1x2 or 0,1,0,1 (top, bottom, left, right)', value);
    return read;
  });

/** `option` with a default value. @param shown how the help writes the default */
export const withDefault = <T>(option: Option<T>, value: T, shown?: string): Option<T> => ({
  ...option,
  fallback: shown === undefined ? { value } : { value, text: shown },
});

/** `option`, undefined when it is not given. */
export const optional = <T>(option: Option<T>): Option<T | undefined> => ({
  ...option,
  fallback: { value: undefined },
});

/** A positional argument. */
export interface Positional {
  /** Its placeholder in the help: "NAME". */
  name: string;
  summary: string;
  required: boolean;
  /** Of the last one: there may be more of it. */
  many?: boolean;
  /** The files that the command reads by it. */
  reads?(value: unknown): readonly NamedFile[];
}

export interface Parsed<O extends Options> {
  options: Values<O>;
  positionals: readonly string[];
  /** Names of the options that were given. */
  given: ReadonlySet<string>;
  /** True if only help was requested; everything else is then empty. */
  help: boolean;
}

/** Reads the words after a command's name. */
export function parse<O extends Options>(
  words: readonly string[],
  options: O,
  positionals: readonly Positional[] = [],
): Parsed<O> {
  const given = new Map<string, string[]>();
  const loose: string[] = [];
  let last: string[] | undefined;
  for (const token of tokens(words, options)) {
    if (token.kind === 'option-terminator') {
      last = undefined;
    } else if (token.kind === 'positional') {
      (last ?? loose).push(token.value);
    } else {
      if (token.name === 'help')
        return { options: {} as Values<O>, positionals: [], given: new Set(), help: true };
      const list = given.get(token.name) ?? [];
      list.push(token.value ?? '');
      given.set(token.name, list);
      // `--case A B`: B is also a value.
      last = options[token.name].many ? list : undefined;
    }
  }
  const missing = positionals.slice(loose.length).find(({ required }) => required);
  if (missing) throw new Failure('bad-input', `${missing.name} is missing: ${missing.summary}`);
  if (loose.length > positionals.length && !positionals.at(-1)?.many) {
    throw new Failure('bad-input', `"${loose[positionals.length]}" is an unexpected argument`);
  }
  const values = Object.entries(options).map(([key, option]) => {
    const name = `--${key}`;
    const list = given.get(key);
    if (list) return [key, option.read(list, name)];
    if (option.fallback) return [key, option.fallback.value];
    throw new Failure('bad-input', `${usage(key, option)} is missing: ${option.summary}`);
  });
  return {
    options: Object.fromEntries(values) as Values<O>,
    positionals: loose,
    given: new Set(given.keys()),
    help: false,
  };
}

function tokens(words: readonly string[], options: Options) {
  const known: NonNullable<ParseArgsConfig['options']> = { help: { type: 'boolean', short: 'h' } };
  for (const [key, option] of Object.entries(options)) {
    known[key] = { type: option.placeholder === undefined ? 'boolean' : 'string', multiple: true };
  }
  try {
    const args = withNegativeValues(words, options);
    return parseArgs({ args, options: known, strict: true, allowPositionals: true, tokens: true }).tokens;
  } catch (error) {
    if (error instanceof Failure) throw error;
    // The rest of Node's message explains how to write values that start with a dash.
    const [first] = (error as Error).message.split(/(?<=['"])\. |\n/);
    throw new Failure(
      'bad-input',
      first.charAt(0).toLowerCase() + first.slice(1),
      'Run --help for a list of options.',
    );
  }
}

/**
 * `--lr -1` as `--lr=-1`: Node reads a word that starts with a dash as another option.
 * @throws Failure `bad-input` if an option lacks its value
 */
function withNegativeValues(words: readonly string[], options: Options): string[] {
  const end = words.indexOf('--');
  const all: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i];
    const key = word.slice('--'.length);
    const option = word.startsWith('--') && Object.hasOwn(options, key) ? options[key] : undefined;
    if (option?.placeholder === undefined || (end >= 0 && i >= end)) {
      all.push(word);
      continue;
    }
    const value = words[++i];
    if (value === undefined || value.startsWith('--'))
      throw new Failure('bad-input', `${usage(key, option)} needs a value: ${option.summary}`);
    all.push(value.startsWith('-') ? `${word}=${value}` : word, ...(value.startsWith('-') ? [] : [value]));
  }
  return all;
}

/** The help of one command. */
export function help(
  name: string,
  summary: string,
  options: Options,
  positionals: readonly Positional[] = [],
): string {
  const shown = Object.entries(options).filter(([, option]) => !option.fallback);
  const line = [
    `npm run -s wgrad -- ${name}`,
    ...positionals.map((p) => (p.required ? p.name : `[${p.name}]`)),
    ...shown.map(([key, option]) => usage(key, option)),
    ...(shown.length < Object.keys(options).length ? ['[options]'] : []),
  ].join(' ');
  const rows = [
    ...positionals.map((p) => [p.name, p.summary]),
    ...Object.entries(options).map(([key, option]) => [
      usage(key, option),
      option.summary + defaultOf(option),
    ]),
    ['--help', 'Show this help'],
  ];
  return `${summary}\n\n  ${line}\n\n${table(rows)}`;
}

/** Two columns, the first as wide as necessary. */
export function table(rows: readonly (readonly string[])[]): string {
  const width = Math.min(34, Math.max(...rows.map(([left]) => left.length)));
  return rows
    .map(
      ([left, right]) =>
        `  ${left.length > width ? `${left}\n  ${' '.repeat(width)}` : left.padEnd(width)}  ${right}`,
    )
    .join('\n');
}

const usage = (key: string, { placeholder }: Option<unknown>): string =>
  placeholder === undefined ? `--${key}` : `--${key} ${placeholder}`;

function defaultOf({ placeholder, fallback }: Option<unknown>): string {
  const shown = fallback?.text ?? String(fallback?.value ?? '');
  return placeholder === undefined || shown === '' ? '' : ` (default ${shown})`;
}

function notEmpty(value: string, name: string): string {
  if (value === '') throw new Failure('bad-input', `${name} needs a value`);
  return value;
}

function readNumber(
  value: string,
  name: string,
  what: string,
  { min = -Infinity, max = Infinity, above }: Bounds,
): number {
  // Number() alone would take "", " 1" and "0x10".
  const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(value) ? Number(value) : NaN;
  if (!Number.isFinite(number)) throw wrong(name, what, value);
  if (number < min || (above && number === min))
    throw wrong(name, `${what} ${above ? 'above' : 'of at least'} ${min}`, value);
  if (number > max) throw wrong(name, `${what} of at most ${max}`, value);
  return number;
}

const wrong = (name: string, expected: string, found: string): Failure =>
  new Failure('bad-input', `${name}: expected ${expected}, found "${found}"`);
