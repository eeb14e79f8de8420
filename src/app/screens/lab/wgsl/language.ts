/** WGSL for CodeMirror, by the tokens of all code on the page. */
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';
import { tokensOf, type CodeToken } from '../../../components/code/highlight.ts';

interface LineState {
  /** Tokens of the current line that are not read yet. */
  rest: CodeToken[];
}

/** CodeMirror's name for each kind of token. */
const NAMES: Readonly<Record<string, string>> = {
  comment: 'comment',
  attribute: 'meta',
  keyword: 'keyword',
  type: 'typeName',
  number: 'number',
};

const wgsl = StreamLanguage.define<LineState>({
  name: 'wgsl',
  languageData: { commentTokens: { line: '//' } },
  startState: () => ({ rest: [] }),
  copyState: ({ rest }) => ({ rest: [...rest] }),
  token(stream, state) {
    if (stream.sol()) state.rest = tokensOf(stream.string, 'WGSL');
    const token = state.rest.shift();
    if (!token) {
      stream.skipToEnd();
      return null;
    }
    stream.pos += token.text.length;
    return NAMES[token.kind] ?? null;
  },
});

/** The colours of components/code, which follow the theme. */
const colours = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--ink-soft)', fontStyle: 'italic' },
  { tag: tags.meta, color: 'var(--warn)' },
  { tag: tags.keyword, color: 'var(--accent-strong)' },
  { tag: tags.typeName, color: 'var(--good)' },
  { tag: tags.number, color: 'var(--bad)' },
]);

export const wgslLanguage = [wgsl, syntaxHighlighting(colours)];
