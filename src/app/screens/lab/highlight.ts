/** Syntax highlighting for WGSL: tokens by kind, without a parser. */

export type TokenKind = 'comment' | 'keyword' | 'type' | 'attribute' | 'number' | 'plain';

export interface Token {
  kind: TokenKind;
  text: string;
}

const KEYWORDS =
  'alias|break|case|const|const_assert|continue|continuing|default|diagnostic|discard|else|enable|false|fn|for|if|let|loop|override|requires|return|struct|switch|true|var|while';
const TYPES =
  'array|atomic|bool|f16|f32|i32|u32|mat[234]x[234][fh]?|ptr|vec[234][fhiu]?|storage|uniform|workgroup|function|private|read|read_write|write|Number';

const PATTERN = new RegExp(
  [
    String.raw`(?<comment>\/\/.*)`,
    String.raw`(?<attribute>@\w+)`,
    String.raw`(?<keyword>\b(?:${KEYWORDS})\b)`,
    String.raw`(?<type>\b(?:${TYPES})\b)`,
    String.raw`(?<number>\b(?:0x[\da-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?)[fhiu]?\b)`,
  ].join('|'),
  'g',
);

/** The tokens of one line; joined they are the line. */
export function tokensOf(line: string): Token[] {
  const tokens: Token[] = [];
  let end = 0;
  for (const match of line.matchAll(PATTERN)) {
    if (match.index > end) tokens.push({ kind: 'plain', text: line.slice(end, match.index) });
    const [kind] = Object.entries(match.groups ?? {}).find(([, text]) => text !== undefined) ?? ['plain'];
    tokens.push({ kind: kind as TokenKind, text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < line.length) tokens.push({ kind: 'plain', text: line.slice(end) });
  return tokens;
}
