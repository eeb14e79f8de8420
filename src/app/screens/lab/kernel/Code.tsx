import { useMemo } from 'react';
import styles from './Code.module.css';
import { tokensOf } from './highlight.ts';

/** WGSL to read, with the numbers of its lines. */
export function Code({ text, label }: { text: string; label: string }) {
  const lines = useMemo(() => text.split('\n').map(tokensOf), [text]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <pre className={styles.code} role="region" aria-label={label} tabIndex={0}>
      {lines.map((tokens, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- a line is its number
        <span key={i} className={styles.line}>
          {tokens.map(({ kind, text: word }, j) => (
            // oxlint-disable-next-line react/no-array-index-key
            <span key={j} className={kind === 'plain' ? undefined : styles[kind]}>
              {word}
            </span>
          ))}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
