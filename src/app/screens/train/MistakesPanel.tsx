import { ActionButton } from '../../actions/ActionButton.tsx';
import { testNow } from '../../actions/actions.ts';
import { later } from '../../components/later.tsx';
import { Panel } from '../../components/Panel.tsx';
import * as format from '../../format.ts';
import { useLive } from '../../metrics/use-live.ts';
import { useApp } from '../../state/store.ts';

const Mistakes = later('Confusion matrix', async () => (await import('./Mistakes.tsx')).Mistakes);

/** Which classes the model confuses, after the last test. */
export function MistakesPanel() {
  const { confusion, lastEvaluation } = useLive();
  const classes = useApp(
    (state) => state.datasets.find(({ name }) => name === state.runConfig?.dataset)?.classes,
  );
  const hasRun = useApp((state) => state.runId > 0);
  const ready = confusion && classes && confusion.length === classes.length ** 2;
  return (
    <Panel
      title="Confusion matrix"
      aside={lastEvaluation && <span className="faint">after {format.steps(lastEvaluation.step)}</span>}
      explanation="Test images by true class (rows) and predicted class (columns). The diagonal is correct. Select a cell to see its images."
    >
      {ready ? (
        <Mistakes classes={classes} counts={confusion} tested={lastEvaluation?.step} />
      ) : (
        <div className="vacant">
          <p>No results yet. The model is tested after each epoch{hasRun ? ', or test it now.' : '.'}</p>
          {hasRun && <ActionButton action={testNow} />}
        </div>
      )}
    </Panel>
  );
}
