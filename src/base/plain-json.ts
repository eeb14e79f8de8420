/** Deeper than any file of wgrad. Functions that call themselves for nested values fill the stack at some thousands. */
const MAX_DEPTH = 64;

/**
 * JSON.parse for texts from outside.
 * @throws SyntaxError also if it is nested more than MAX_DEPTH deep
 */
export function parsePlainJson(text: string, reviver?: (key: string, value: unknown) => unknown): unknown {
  let depth = 0;
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (quoted) {
      if (character === '\\') i++;
      else quoted = character !== '"';
    } else if (character === '"') quoted = true;
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if (depth > MAX_DEPTH) throw new SyntaxError(`more than ${MAX_DEPTH} levels at position ${i}`);
  }
  return JSON.parse(text, reviver);
}
