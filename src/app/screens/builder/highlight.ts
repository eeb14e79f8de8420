/** Syntax highlighting of Python and JSON: by patterns, without a parser. */

export interface Word {
  kind: 'comment' | 'string' | 'keyword' | 'number' | 'plain';
  text: string;
}

const PATTERN = new RegExp(
  [
    String.raw`(?<string>"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*")`,
    String.raw`(?<comment>#.*)`,
    String.raw`(?<keyword>\b(?:class|def|for|from|if|import|in|is|not|and|or|return|as|None|True|False|true|false|null|super|self)\b)`,
    String.raw`(?<number>\b\d+(?:\.\d+)?(?:e-?\d+)?\b)`,
  ].join('|'),
  'g',
);

/** Splits a text into words; joined, they are the text again. */
export function highlight(text: string): Word[] {
  const words: Word[] = [];
  let end = 0;
  for (const match of text.matchAll(PATTERN)) {
    if (match.index > end) words.push({ kind: 'plain', text: text.slice(end, match.index) });
    const [kind] = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined) ?? ['plain'];
    words.push({ kind: kind as Word['kind'], text: match[0] });
    end = match.index + match[0].length;
  }
  if (end < text.length) words.push({ kind: 'plain', text: text.slice(end) });
  return words;
}
