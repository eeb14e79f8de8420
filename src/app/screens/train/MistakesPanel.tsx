import { ActionButton } from '../../actions/ActionButton.tsx';
import { testNow } from '../../actions/actions.ts';
import * as format from '../../format.ts';
import { later } from '../../components/later.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import { useLive } from '../../metrics/use-live.ts';
import { testedOn } from '../../journal/record.ts';
import { useApp } from '../../state/store.ts';
import { results as texts } from '../../messages/en/results.tsx';
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
  const images = confusion && testedOn({ confusion });
  const ready = confusion && classes && confusion.length === classes.length ** 2;
  return (
    <>
      <Panel
        title={texts.matrix}
        aside={
          lastEvaluation && (
            <span
              className="fine"
              title={
                images === undefined ? undefined : format.measuredOn(lastEvaluation.testAccuracy, images)
              }
            >
              {texts.after(lastEvaluation.step)}
            </span>
          )
        }
        explanation={texts.aboutMatrix}
        dense
        className={styles.matrix}
      >
        {ready ? (
          <Matrix classes={classes} counts={confusion} />
        ) : (
          <div className={`vacant ${styles.nothing}`}>
            <p>{hasRun ? texts.testIt : texts.noResults}</p>
            {hasRun && <ActionButton action={testNow} />}
          </div>
        )}
      </Panel>
      <Panel title={texts.mistakes} explanation={texts.aboutMistakes} dense className={styles.mistakes}>
        {ready && tested !== undefined ? (
          <MostConfident tested={tested} classes={classes} counts={confusion} />
        ) : (
          <p className={`fine ${styles.nothing}`}>{texts.afterTest}</p>
        )}
      </Panel>
    </>
  );
}
