import { useMemo } from 'react';
import styles from './Code.module.css';
import { type Language, tokensOf } from './highlight.ts';

interface CodeProps {
  text: string;
  language: Language;
  /** Its name for screen readers. */
  label: string;
  /** With line numbers; then no token goes over lines. */
  numbered?: boolean;
}

/** Code to read. */
export function Code({ text, language, label, numbered = false }: CodeProps) {
  const parts = useMemo(
    () => (numbered ? text.split('\n') : [text]).map((part) => tokensOf(part, language)),
    [text, language, numbered],
  );
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <pre className={styles.code} data-numbered={numbered} role="region" aria-label={label} tabIndex={0}>
      {parts.map((tokens, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- a line is its number
        <span key={i}>
          {tokens.map(({ kind, text: word }, j) => (
            // oxlint-disable-next-line react/no-array-index-key
            <i key={j} data-token={kind}>
              {word}
            </i>
          ))}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
