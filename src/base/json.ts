/**
 * JSON, stricter than JSON.parse: duplicate keys and deep nesting are refused, objects become Maps (so `__proto__` is a
 * name like any other), and every failure has a place.
 */

export type Json = string | number | boolean | null | Json[] | Map<string, Json>;

export interface JsonRules {
  /** For messages: "the header". */
  what: string;
  maxDepth: number;
  /** Whether numbers may have fractions and exponents. Default false. */
  reals?: boolean;
  /** Whether numbers may be Infinity and -Infinity, as Python writes them. Default false. */
  infinite?: boolean;
  /** Creates the failure to throw. @param at characters before the error */
  bad(at: number, message: string): Error;
}

/** Parses JSON that fills `text`, white space around it allowed. */
export function parseJson(text: string, rules: JsonRules): Json {
  let at = 0;

  const bad = (message: string, where = at) => rules.bad(where, message);
  const show = () => (at < text.length ? JSON.stringify(text[at]) : `the end of ${rules.what}`);
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
    if (depth > rules.maxDepth) throw bad(`${rules.what} is nested more than ${rules.maxDepth} deep`);
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
    const number = match(rules.reals ? /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y : /-?(?:0|[1-9]\d*)/y);
    if (number !== undefined) return Number(number);
    const infinite = rules.infinite ? match(/-?Infinity/y) : undefined;
    if (infinite !== undefined) return Number(infinite);
    const word = match(/true|false|null/y);
    if (word !== undefined) return JSON.parse(word) as boolean | null;
    throw bad(`expected a value, found ${show()}`);
  };

  const result = value(0);
  space();
  if (at < text.length) throw bad(`expected the end of ${rules.what}, found ${show()}`);
  return result;
}
