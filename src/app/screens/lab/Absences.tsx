import styles from './Absences.module.css';
import type { Measurement } from './batch.ts';
import { absences } from './verdict.ts';

/** Algorithms that cannot do this, with the reason. */
export function Absences({ measurement }: { measurement: Measurement }) {
  const { absent, state } = measurement;
  if (absent.length === 0 || state === 'waiting') return null;
  return (
    <ul className={styles.absences} aria-label="Not here">
      {absences(measurement).map(({ algorithms, reason }) => (
        <li key={reason}>
          <b>{algorithms.join(', ')}</b>
          {algorithms.length === 1 ? ' is ' : ': '}not here because {reason}.
        </li>
      ))}
    </ul>
  );
}
