import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { useEffect, useEffectEvent, useRef } from 'react';
import { adoptEditorStyles } from './adopt-styles.ts';
import type { WgslError } from './errors.ts';
import { wgslLanguage } from './language.ts';

interface WgslEditorProps {
  /** For screen readers. */
  label: string;
  text: string;
  /** Those of this file. */
  errors: readonly WgslError[];
  onChange(text: string): void;
}

/** Sizes and surfaces; the colours are the page's. */
const look = EditorView.theme({
  '&': {
    maxHeight: '34rem',
    border: '1px solid var(--line-control)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--sunken)',
    color: 'var(--ink)',
    fontSize: '0.8125rem',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink)', paddingBlock: '0.5rem' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { border: '0', backgroundColor: 'var(--sunken)', color: 'var(--ink-faint)' },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 7%, transparent)',
  },
  '.cm-activeLineGutter': { color: 'var(--ink)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-soft)' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius)',
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
  },
  '.cm-diagnostic': { padding: '0.25rem 0.5rem', borderLeftColor: 'var(--bad)' },
  '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--ink)' },
});

/** An editor with line numbers and the compiler's errors at their lines. Tab indents; after Escape, Tab leaves it. */
export default function WgslEditor({ label, text, errors, onChange }: WgslEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const editor = useRef<EditorView>(undefined);
  const changed = useEffectEvent(onChange);
  const initial = useEffectEvent(() => text);
  useEffect(() => {
    if (!place.current) return undefined;
    adoptEditorStyles(document);
    const view = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: initial(),
        extensions: [
          lineNumbers(),
          highlightActiveLineGutter(),
          highlightActiveLine(),
          lintGutter(),
          history(),
          drawSelection(),
          bracketMatching(),
          indentOnInput(),
          indentUnit.of('  '),
          wgslLanguage,
          look,
          keymap.of([...defaultKeymap, ...historyKeymap, ...lintKeymap, indentWithTab]),
          EditorView.contentAttributes.of({ 'aria-label': label, autocapitalize: 'off', tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString());
          }),
        ],
      }),
    });
    editor.current = view;
    return () => view.destroy();
  }, [label]);
  // Reset, and a link that brings another text.
  useEffect(() => {
    const view = editor.current;
    if (!view || view.state.doc.toString() === text) return;
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
  }, [text]);
  useEffect(() => {
    const view = editor.current;
    view?.dispatch(setDiagnostics(view.state, diagnosticsOf(errors, view.state.doc)));
  }, [errors]);
  return <div ref={place} />;
}

/** Each error from its column to the end of its line, or as its line without the indentation. */
const diagnosticsOf = (errors: readonly WgslError[], doc: Text): Diagnostic[] =>
  errors
    .filter(({ line }) => line <= doc.lines)
    .map(({ line, column, message }) => {
      const { from, to, text } = doc.line(line);
      const start = column > 0 ? column - 1 : text.length - text.trimStart().length;
      return { from: Math.min(from + start, to), to, severity: 'error', message };
    });
