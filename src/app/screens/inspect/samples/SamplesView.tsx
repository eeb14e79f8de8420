import styles from '../Inspect.module.css';
import { Gallery } from './Gallery.tsx';
import { MatrixPanel } from './MatrixPanel.tsx';

/** The confusion matrix over epochs, and the test images behind its cells. */
export function SamplesView() {
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <MatrixPanel />
      </div>
      <Gallery />
    </div>
  );
}
