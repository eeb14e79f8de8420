/** Syntax highlighting: tokens by kind, without a parser. */

const number = String.raw`\b(?:0x[\da-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?)[fhiu]?\b`;

/** The patterns of each language; Python's serve for JSON too. */
const LANGUAGES = {
  WGSL: {
    comment: String.raw`\/\/.*`,
    attribute: String.raw`@\w+`,
    keyword: String.raw`\b(?:alias|break|case|const|const_assert|continue|continuing|default|diagnostic|discard|else|enable|false|fn|for|if|let|loop|override|requires|return|struct|switch|true|var|while)\b`,
    type: String.raw`\b(?:array|atomic|bool|f16|f32|i32|u32|mat[234]x[234][fh]?|ptr|vec[234][fhiu]?|storage|uniform|workgroup|function|private|read|read_write|write|Number)\b`,
    number,
  },
  Python: {
    string: String.raw`"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"`,
    comment: '#.*',
    keyword: String.raw`\b(?:class|def|for|from|if|import|in|is|not|and|or|return|as|None|True|False|true|false|null|super|self)\b`,
    number,
  },
  TypeScript: {
    comment: String.raw`\/\*[\s\S]*?\*\/|\/\/.*`,
    string: String.raw`'(?:[^'\\\n]|\\.)*'|` + '`[^`]*`',
    keyword: String.raw`\b(?:as|async|await|const|default|else|export|false|for|from|function|if|import|let|new|of|return|throw|true|type|typeof|undefined|while)\b`,
    number,
  },
};

export type Language = keyof typeof LANGUAGES;

export interface CodeToken {
  kind: string;
  text: string;
}

/** Splits a text into tokens; joined, they are the text again. */
export function tokensOf(text: string, language: Language): CodeToken[] {
  const groups = Object.entries(LANGUAGES[language]).map(([kind, pattern]) => `(?<${kind}>${pattern})`);
  const tokens: CodeToken[] = [];
  let end = 0;
  for (const match of text.matchAll(new RegExp(groups.join('|'), 'g'))) {
    if (match.index > end) tokens.push({ kind: 'plain', text: text.slice(end, match.index) });
    const [kind] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? ['plain'];
    tokens.push({ kind, text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) tokens.push({ kind: 'plain', text: text.slice(end) });
  return tokens;
}
