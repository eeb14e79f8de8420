import { Panel } from '../../../components/Panel.tsx';
import { Chip } from '../Chip.tsx';
import { useAlgorithms } from '../lab-store.ts';
import styles from './Empty.module.css';

/** Before the first race: who would take part. */
export function Empty() {
  const algorithms = useAlgorithms();
  return (
    <Panel
      title="Who takes part"
      explanation="Choose a problem and press Race: the bars grow as each is measured."
    >
      <ul className={styles.algorithms}>
        {algorithms.map(({ name, summary }) => (
          <li key={name}>
            <Chip algorithm={name} />
            <p>{summary}</p>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
