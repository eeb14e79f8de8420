/** Splits WGSL source into tokens (https://www.w3.org/TR/WGSL/#textual-structure). */
import { SourceError } from './source-error.ts';

export interface Token {
  kind: 'name' | 'number' | 'symbol' | 'end';
  text: string;
  /** Where in the source it starts. */
  at: number;
}

/** Comments, spaces, names, numbers, and symbols, the longest first. `>>` is left as two tokens: templates end so, too. */
const TOKEN =
  /(\/\/[^\n]*|\s+)|([A-Za-z_]\w*)|(0[xX][\da-fA-F]*\.?[\da-fA-F]*(?:[pP][+-]?\d+)?[iufh]?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[iufh]?)|(<<=|>>=|->|&&|\|\||==|!=|<=|>=|\+\+|--|<<|[-+*/%&|^]=|[-+*/%&|^!~<>=(){}[\],;:.@])/y;

/** @throws SourceError at a character that starts no token */
export function tokensOf(code: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let at = 0; at < code.length; at = TOKEN.lastIndex) {
    if (code.startsWith('/*', at)) {
      TOKEN.lastIndex = endOfComment(code, at);
      continue;
    }
    const match = TOKEN.exec(code);
    if (!match) throw new SourceError(at, `unexpected character "${code[at]}"`);
    const [text, space, name, number] = match;
    if (space === undefined) {
      const kind = name !== undefined ? 'name' : number !== undefined ? 'number' : 'symbol';
      tokens.push({ kind, text, at });
    }
  }
  tokens.push({ kind: 'end', text: 'the end of the file', at: code.length });
  return tokens;
}

/** Where a comment ends that may have others in it. */
function endOfComment(code: string, start: number): number {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start;
  for (let depth = 0; ;) {
    const found = mark.exec(code);
    if (!found) throw new SourceError(start, 'a comment that does not end');
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return mark.lastIndex;
  }
}
