/** Reads tuning results; apart from db.ts, because a first visit has none. */
import { parsePlainJson } from '../../../../base/plain-json.ts';
import { Failure } from '../../../../base/result.ts';
import type { Pace } from '../../../cost.ts';
import { DIRECTIONS } from '../problem.ts';
import { FindDb, FORMAT, VERSION, type DbEntry, type DevicePace } from './db.ts';
import type { Choice } from './types.ts';

/**
 * Reads a file that `FindDb.toText` wrote.
 * @param name for messages
 * @throws Failure `bad-file` naming the place of the error
 */
export function readDb(name: string, text: string): FindDb {
  let json: unknown;
  try {
    json = parsePlainJson(text);
  } catch (error) {
    throw new Failure('bad-file', `${name}: expected JSON, found ${(error as Error).message}`);
  }
  const root = new Reader(name, '', json);
  root.at('format').oneOf([FORMAT]);
  root.at('version').oneOf([VERSION]);
  // Files of version 0.1 have none.
  const paces = root.optional('paces')?.items().map(readPace);
  return new FindDb(root.at('entries').items().map(readEntry), paces);
}

function readPace(entry: Reader): DevicePace {
  const number = (key: keyof Pace) => entry.at('pace').at(key).number();
  return {
    adapter: entry.at('adapter').text(),
    runtime: entry.at('runtime').text(),
    pace: {
      cores: number('cores'),
      rate: number('rate'),
      bytes: number('bytes'),
      dispatch: number('dispatch'),
    },
    date: entry.at('date').date(),
  };
}

function readEntry(entry: Reader): DbEntry {
  const text = (key: string) => entry.at(key).text();
  const best = entry.optional('best');
  return {
    adapter: text('adapter'),
    runtime: text('runtime'),
    kernels: text('kernels'),
    problem: text('problem'),
    direction: entry.at('direction').oneOf(DIRECTIONS),
    number: entry.at('number').oneOf(['f32', 'f16'] as const),
    workspace: entry.at('workspace').number(),
    ...(best
      ? {
          best: {
            ...readChoice(best),
            median: best.at('median').number(),
            p10: best.at('p10').number(),
            p90: best.at('p90').number(),
            clock: best.at('clock').oneOf(['timestamps', 'wall'] as const),
            error: best.at('error').number(),
            workspaceBytes: best.at('workspaceBytes').number(),
          },
        }
      : {}),
    quarantine: entry
      .at('quarantine')
      .items()
      .map((one) => ({ ...readChoice(one), reason: one.at('reason').text() })),
    date: entry.at('date').date(),
  };
}

const readChoice = (one: Reader): Choice => ({
  algorithm: one.at('algorithm').text(),
  launch: one.at('launch').text(),
});

/** A value of a JSON file with its path. */
class Reader {
  constructor(
    private readonly file: string,
    private readonly path: string,
    private readonly value: unknown,
  ) {}

  at(key: string): Reader {
    const inner = this.optional(key);
    if (inner === undefined) throw this.bad(`an object with "${key}"`);
    return inner;
  }

  optional(key: string): Reader | undefined {
    const { value } = this;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw this.bad('an object');
    if (!Object.hasOwn(value, key)) return undefined;
    const path = this.path === '' ? key : `${this.path}.${key}`;
    return new Reader(this.file, path, (value as Record<string, unknown>)[key]);
  }

  items(): Reader[] {
    if (!Array.isArray(this.value)) throw this.bad('a list');
    return this.value.map((item, i) => new Reader(this.file, `${this.path}[${i}]`, item));
  }

  text(): string {
    if (typeof this.value !== 'string') throw this.bad('a string');
    return this.value;
  }

  /** Finite, and not negative: all numbers here are. */
  number(): number {
    if (typeof this.value !== 'number' || !(this.value >= 0)) throw this.bad('a number of at least 0');
    return this.value;
  }

  date(): string {
    const text = this.text();
    if (!/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) || Number.isNaN(Date.parse(text))) throw this.bad('a date');
    return text;
  }

  oneOf<T>(choices: readonly T[]): T {
    const found = choices.find((choice) => choice === this.value);
    if (found === undefined) throw this.bad(choices.map((choice) => JSON.stringify(choice)).join(' or '));
    return found;
  }

  private bad(expected: string): Failure {
    const { value } = this;
    const deep = typeof value === 'object' && value !== null;
    const found = deep
      ? Array.isArray(value)
        ? 'a list'
        : 'an object'
      : (JSON.stringify(value) ?? 'nothing');
    const place = this.path === '' ? '' : `${this.path}: `;
    return new Failure('bad-file', `${this.file}: ${place}expected ${expected}, found ${found.slice(0, 60)}`);
  }
}
