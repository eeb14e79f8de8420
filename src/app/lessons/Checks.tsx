import { Icon } from '../widgets/Icon.tsx';
import type { LessonCheckResult } from './checks.ts';
import styles from './Lesson.module.css';
import { foundOf, subjectOf, wantedOf } from './words.ts';

interface ChecksProps {
  results: readonly LessonCheckResult[];
  /** Whether what they find now is shown too. */
  isLive?: boolean;
}

/** The checks of a task: what is wanted. */
export const Checks = ({ results, isLive = false }: ChecksProps) => (
  <ul className={styles.checks}>
    {results.map((result) => {
      const { check, holds } = result;
      return (
        <li key={JSON.stringify(check)} data-holds={holds || undefined}>
          <span className={styles.tick}>{holds && <Icon name="check" />}</span>
          <span className="numbers">
            {[[subjectOf(check), isLive && foundOf(result)].filter(Boolean).join(': '), wantedOf(check)]
              .filter(Boolean)
              .join(', ')}
          </span>
        </li>
      );
    })}
  </ul>
);
