/**
 * JSON for file headers: strict where JSON.parse is not. A key given twice is refused, numbers are whole, objects become
 * Maps (so that `__proto__` is a name like any other), and every failure has a byte offset.
 */
import { badFile } from '../../base/bytes.ts';

export type Json = string | number | boolean | null | Json[] | Map<string, Json>;

/** Deeper than any header we read. */
const MAX_DEPTH = 8;

/**
 * Parses UTF-8 JSON that fills `bytes`, white space around it allowed.
 * @param name the file's name, for messages
 * @param base where `bytes` starts in the file, in bytes
 * @throws Failure `bad-file`
 */
export function parseJson(name: string, bytes: Uint8Array, base: number): Json {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw badFile(name, base + firstBadUtf8(bytes), 'expected UTF-8 text in the header');
  }
  let at = 0;

  const bad = (message: string, where = at) =>
    badFile(name, base + new TextEncoder().encode(text.slice(0, where)).length, message);
  const show = () => (at < text.length ? JSON.stringify(text[at]) : 'the end of the header');
  const match = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  };
  const space = () => match(/[ \t\n\r]*/y);
  const accept = (character: string): boolean => {
    space();
    if (text[at] !== character) return false;
    at++;
    return true;
  };
  const expect = (character: string) => {
    if (!accept(character)) throw bad(`expected '${character}', found ${show()}`);
  };

  const string = (): string => {
    const start = at;
    // No control characters and no lone backslash; JSON.parse then decodes the escapes.
    // oxlint-disable-next-line no-control-regex
    const literal = match(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y);
    if (literal === undefined) throw bad('expected a string in double quotes', start);
    return JSON.parse(literal) as string;
  };

  const value = (depth: number): Json => {
    space();
    if (depth > MAX_DEPTH) throw bad(`the header is nested more than ${MAX_DEPTH} deep`);
    if (text[at] === '"') return string();
    if (accept('{')) {
      const entries = new Map<string, Json>();
      if (accept('}')) return entries;
      do {
        space();
        const keyAt = at;
        const key = string();
        if (entries.has(key)) throw bad(`the name ${JSON.stringify(key)} is given twice`, keyAt);
        expect(':');
        entries.set(key, value(depth + 1));
      } while (accept(','));
      expect('}');
      return entries;
    }
    if (accept('[')) {
      const items: Json[] = [];
      if (accept(']')) return items;
      do items.push(value(depth + 1));
      while (accept(','));
      expect(']');
      return items;
    }
    const number = match(/-?(?:0|[1-9]\d*)/y);
    if (number !== undefined) return Number(number);
    const word = match(/true|false|null/y);
    if (word !== undefined) return JSON.parse(word) as boolean | null;
    throw bad(`expected a value, found ${show()}`);
  };

  const result = value(0);
  space();
  if (at < text.length) throw bad(`expected the end of the header, found ${show()}`);
  return result;
}

/** How many leading bytes are valid UTF-8, found by halving. */
function firstBadUtf8(bytes: Uint8Array): number {
  let good = 0;
  let bad = bytes.length;
  while (good < bad) {
    const middle = (good + bad) >> 1;
    try {
      new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(good, middle + 1), { stream: true });
      good = middle + 1;
    } catch {
      bad = middle;
    }
  }
  return good;
}
