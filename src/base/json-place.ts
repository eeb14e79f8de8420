/** Values of a JSON file with their path, so that every error names its place: "layers[3].name". */
import type { Json } from './json.ts';
import { PADDING_WORDS, SIDES, type PaddingSetting } from './padding.ts';
import { Failure } from './result.ts';

/** Much longer texts would fill the message. */
const MAX_SHOWN = 60;

export class JsonPlace {
  /**
   * @param value undefined if absent
   * @param path "layers[3].name"; empty for the whole file
   */
  constructor(
    private readonly file: string,
    readonly value: Json | undefined,
    readonly path = '',
  ) {}

  /** Whether the value is absent. */
  get isAbsent(): boolean {
    return this.value === undefined;
  }

  /** An empty object if the value is absent. */
  orEmpty(): JsonPlace {
    return this.isAbsent ? new JsonPlace(this.file, new Map(), this.path) : this;
  }

  /** A failure at this place. */
  bad(message: string, advice?: string): Failure {
    const path = this.path === '' ? '' : `${this.path}: `;
    return new Failure('bad-file', `${this.file}: ${path}${message}`, advice);
  }

  private expected(what: string): Failure {
    return this.bad(`expected ${what}, found ${show(this.value)}`);
  }

  /** An object's members by name. Names that are not `known` are refused. */
  members<const N extends string>(
    what: string,
    known: readonly N[],
    unknown: (name: string) => string = (name) => `unknown key ${JSON.stringify(name)}`,
  ): Record<N, JsonPlace> {
    const { value } = this;
    if (!(value instanceof Map)) throw this.expected(`an object, ${what}`);
    for (const name of value.keys()) {
      if (known.some((one) => one === name)) continue;
      throw this.at(name).bad(unknown(name), known.length > 0 ? `Known: ${known.join(', ')}.` : 'Remove it.');
    }
    return Object.fromEntries(known.map((name) => [name, this.at(name)])) as Record<N, JsonPlace>;
  }

  items(what: string, least: number, most: number): JsonPlace[] {
    const { value } = this;
    if (!Array.isArray(value)) throw this.expected(`a list, ${what}`);
    if (value.length < least || value.length > most)
      throw this.bad(`expected ${least} to ${most} ${what}, found ${value.length}`);
    return value.map((item, i) => new JsonPlace(this.file, item, `${this.path}[${i}]`));
  }

  text(what: string, pattern = /[^]*/, most = 1000): string {
    const { value } = this;
    if (typeof value !== 'string') throw this.expected(what);
    if (value.length > most || !new RegExp(`^(?:${pattern.source})$`).test(value)) throw this.expected(what);
    return value;
  }

  choice<const C extends string>(choices: readonly C[]): C {
    const found = choices.find((one) => one === this.value);
    if (found === undefined) throw this.expected(`one of ${choices.join(', ')}`);
    return found;
  }

  flag(): boolean {
    if (typeof this.value !== 'boolean') throw this.expected('true or false');
    return this.value;
  }

  number(least: number, most: number): number {
    const { value } = this;
    if (typeof value !== 'number' || value < least || value > most)
      throw this.expected(`a number from ${least} to ${most}`);
    return value;
  }

  above(bound: number, most: number): number {
    const { value } = this;
    if (typeof value !== 'number' || value <= bound) throw this.expected(`a number above ${bound}`);
    if (value > most) throw this.expected(`a number of at most ${most}`);
    return value;
  }

  whole(least: number, most: number): number {
    const { value } = this;
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < least)
      throw this.expected(`a whole number of at least ${least}`);
    if (value > most) throw this.expected(`a whole number of at most ${most}`);
    return value;
  }

  /** Zeros around an image: see base/padding.ts. One integer stands for all sides. */
  padding(most: number): PaddingSetting {
    const { value } = this;
    const word = PADDING_WORDS.find((one) => one === value);
    if (word) return word;
    if (value instanceof Map) {
      const { top, bottom, left, right } = this.members('padding', SIDES);
      const sides = [top, bottom, left, right].map((one) => one.whole(0, most));
      return { top: sides[0], bottom: sides[1], left: sides[2], right: sides[3] };
    }
    const isPair = Array.isArray(value) && value.length === 2;
    if (typeof value !== 'number' && !isPair)
      throw this.expected(
        'a whole number, [vertical, horizontal], { "top", "bottom", "left", "right" }, "same" or "valid"',
      );
    return this.pair(0, most);
  }

  /** Two integers, vertical and horizontal, or one for both. */
  pair(least: number, most: number): [number, number] {
    if (typeof this.value === 'number') {
      const both = this.whole(least, most);
      return [both, both];
    }
    if (!Array.isArray(this.value) || this.value.length !== 2)
      throw this.expected('a whole number, or two: [vertical, horizontal]');
    const [vertical, horizontal] = this.items('numbers', 2, 2).map((one) => one.whole(least, most));
    return [vertical, horizontal];
  }

  /** An object's member; absent if the value has none. */
  at(name: string): JsonPlace {
    const inside = this.value instanceof Map ? this.value.get(name) : undefined;
    const step = /^\w+$/.test(name) ? name : JSON.stringify(name).slice(0, MAX_SHOWN);
    return new JsonPlace(this.file, inside, this.path === '' ? step : `${this.path}.${step}`);
  }
}

function show(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (value instanceof Map) return 'an object';
  if (Array.isArray(value))
    return value.length > 4 ? `a list of ${value.length}` : `[${value.map(show).join(', ')}]`;
  const text = typeof value === 'number' ? String(value) : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
