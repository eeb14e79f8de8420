import { lookOf } from './algorithms.ts';
import styles from './Chip.module.css';

/** Who is first: by name, and those that tie with it by their letters. */
export function Winners({ algorithms }: { algorithms: readonly string[] }) {
  const [first, ...others] = algorithms;
  return (
    <span className={styles.winners}>
      <Chip algorithm={first} />
      {others.length > 0 && <span className={styles.tie}>ties with</span>}
      {others.map((algorithm) => (
        <span key={algorithm} title={algorithm}>
          <span className="unseen">{algorithm} </span>
          <Chip algorithm={algorithm} bare />
        </span>
      ))}
    </span>
  );
}

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
