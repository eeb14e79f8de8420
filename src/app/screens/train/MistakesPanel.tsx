import { ActionButton } from '../../actions/ActionButton.tsx';
import { testNow } from '../../actions/actions.ts';
import { later } from '../../components/later.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { inLayers } from '../../messages/layers.ts';
import * as format from '../../format.ts';
import { useLive } from '../../metrics/use-live.ts';
import { useApp } from '../../state/store.ts';
import styles from './Train.module.css';

const Matrix = later('Confusion matrix', async () => (await import('./Mistakes.tsx')).Matrix);
const MostConfident = later('Mistakes', async () => (await import('./Mistakes.tsx')).MostConfident);

/** Which classes the model confuses after the last test, and the images of its most confident mistakes. */
export function MistakesPanel() {
  const { confusion, lastEvaluation } = useLive('tables');
  const classes = useApp(
    (state) => state.datasets.find(({ name }) => name === state.runConfig?.dataset)?.classes,
  );
  const hasRun = useApp((state) => state.runId > 0);
  const tested = lastEvaluation?.step;
  const ready = confusion && classes && confusion.length === classes.length ** 2;
  return (
    <>
      <Panel
        title="Confusion matrix"
        aside={tested !== undefined && <span className="fine">after {format.steps(tested)}</span>}
        explanation={inLayers(
          'What it takes for what. Each row is one kind of image, and shows what the network said about them. Select a number to see the images.',
          'Test images by true class (rows) and predicted class (columns). The diagonal is correct.',
          'confusion matrix',
        )}
        dense
        className={styles.matrix}
      >
        {ready ? (
          <Matrix classes={classes} counts={confusion} />
        ) : (
          <div className={`vacant ${styles.nothing}`}>
            <p>No results yet. The model is tested after each epoch{hasRun ? ', or test it now.' : '.'}</p>
            {hasRun && <ActionButton action={testNow} />}
          </div>
        )}
      </Panel>
      <Panel
        title="Most confident mistakes"
        explanation={inLayers(
          'Images that it got wrong although it was sure. Select one to see what happened.',
          'Misclassified test images, highest confidence first.',
          'confidence',
        )}
        dense
        className={styles.mistakes}
      >
        {ready && tested !== undefined ? (
          <MostConfident tested={tested} classes={classes} counts={confusion} />
        ) : (
          <p className={`fine ${styles.nothing}`}>Available after the next test.</p>
        )}
      </Panel>
    </>
  );
}
