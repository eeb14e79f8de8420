import { Icon } from '../../../widgets/Icon.tsx';
import type { LessonCheckResult } from '../../../../lessons/checks.ts';
import styles from './Lesson.module.css';
import { foundOf, subjectOf, wantedOf, type FoundWhen } from './words.ts';

interface ChecksProps {
  results: readonly LessonCheckResult[];
  /** What they find is shown too. */
  found?: FoundWhen;
}

/** The checks of a task: what is wanted. */
export const Checks = ({ results, found }: ChecksProps) => (
  <ul className={styles.checks}>
    {results.map((result) => {
      const { check, holds } = result;
      return (
        <li key={JSON.stringify(check)} data-holds={holds || undefined}>
          <span className={styles.tick}>{holds && <Icon name="check" />}</span>
          <span className="numbers">
            {[[subjectOf(check), found && foundOf(result, found)].filter(Boolean).join(': '), wantedOf(check)]
              .filter(Boolean)
              .join(', ')}
          </span>
        </li>
      );
    })}
  </ul>
);
