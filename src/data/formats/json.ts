/** JSON for file headers: strict, integers only, and every failure has a byte offset. */
import { badFile } from '../../base/bytes.ts';
import { parseJson as parse, type Json } from '../../base/json.ts';

export type { Json } from '../../base/json.ts';

/** Deeper than any valid header. */
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
  return parse(text, {
    what: 'the header',
    maxDepth: MAX_DEPTH,
    bad: (at, message) => badFile(name, base + new TextEncoder().encode(text.slice(0, at)).length, message),
  });
}

/** How many leading bytes are valid UTF-8, by bisection. */
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
