import { lookOf } from './algorithms.ts';
import styles from './Chip.module.css';

/** An algorithm's colour, pattern and letters, with its name or without. */
export function Chip({ algorithm, bare = false }: { algorithm: string; bare?: boolean }) {
  const { letters } = lookOf(algorithm);
  return (
    <span className={styles.chip}>
      <span className={styles.mark} data-algorithm={algorithm} aria-hidden="true">
        {letters}
      </span>
      {!bare && <span className={styles.name}>{algorithm}</span>}
    </span>
  );
}
