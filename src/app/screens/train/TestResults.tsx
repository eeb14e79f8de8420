import { FiltersPanel } from './FiltersPanel.tsx';
import { MistakesPanel } from './MistakesPanel.tsx';
import styles from './Train.module.css';

/** Which classes the newest test confuses, its worst mistakes, and the filters that led to them. */
export const TestResults = () => (
  <div className={styles.results}>
    <MistakesPanel />
    <FiltersPanel />
  </div>
);
