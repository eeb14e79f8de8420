import { useMemo } from 'react';
import { lineDifference, type ChangedLine } from '../../../base/line-difference.ts';
import styles from './Code.module.css';
import { tokensOf, type Language } from './highlight.ts';

interface DifferenceViewProps {
  before: string;
  after: string;
  language: Language;
  /** Its name for screen readers. */
  label: string;
}

/** Lines around a change that are shown too. */
const AROUND = 3;

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;
const WORDS = { same: '', removed: 'removed: ', added: 'added: ' } as const;

/** What changed between two texts, with a few lines around each change. */
export function DifferenceView({ before, after, language, label }: DifferenceViewProps) {
  const lines = useMemo(() => shortened(lineDifference(before, after)), [before, after]);
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
    <pre className={styles.code} data-difference role="region" aria-label={label} tabIndex={0}>
      {lines.map((line, i) =>
        line === 'gap' ? (
          // oxlint-disable-next-line react/no-array-index-key -- a line is its place
          <span key={i} data-line="gap">
            {'⋯\n'}
          </span>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key
          <span key={i} data-line={line.kind}>
            <span className="unseen">{WORDS[line.kind]}</span>
            <b aria-hidden="true">{SIGNS[line.kind]}</b>
            {tokensOf(line.text, language).map(({ kind, text }, j) => (
              // oxlint-disable-next-line react/no-array-index-key
              <i key={j} data-token={kind}>
                {text}
              </i>
            ))}
            {'\n'}
          </span>
        ),
      )}
    </pre>
  );
}

/** Without the lines that are far from every change. */
function shortened(lines: readonly ChangedLine[]): (ChangedLine | 'gap')[] {
  const isNear = lines.map((_, i) =>
    lines.slice(Math.max(0, i - AROUND), i + AROUND + 1).some(({ kind }) => kind !== 'same'),
  );
  return lines.flatMap((line, i): (ChangedLine | 'gap')[] => {
    if (isNear[i]) return [line];
    return i === 0 || isNear[i - 1] ? ['gap'] : [];
  });
}
