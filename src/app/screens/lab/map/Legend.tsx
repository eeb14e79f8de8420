import { Chip } from '../Chip.tsx';
import { useAlgorithms } from '../lab-store.ts';
import styles from './Legend.module.css';

/** Which colour and letters are which algorithm's. */
export function Legend() {
  const algorithms = useAlgorithms();
  return (
    <ul className={styles.legend} aria-label="Legend">
      {algorithms.map(({ name, summary }) => (
        <li key={name} title={summary}>
          <Chip algorithm={name} />
        </li>
      ))}
      <li>
        <b>=</b> a tie: both colours
      </li>
    </ul>
  );
}
