import { ActionButton } from '../../../actions/ActionButton.tsx';
import { testNow } from '../../../actions/actions.ts';
import { Confusion } from '../../../charts/confusion/Confusion.tsx';
import { Panel } from '../../../components/Panel.tsx';
import * as format from '../../../format.ts';
import { useLive } from '../../../metrics/use-live.ts';
import { go, hrefOf } from '../../../route.ts';
import { useApp } from '../../../state/store.ts';
import { commonest } from './commonest.ts';
import { Worst } from './Worst.tsx';
import styles from './MistakesPanel.module.css';
import { useInspect } from '../../inspect/inspect-store.ts';

/** What the model still takes for what, after the last epoch. */
export function MistakesPanel() {
  const { confusion, lastEvaluation } = useLive();
  const classes = useApp(
    (state) => state.datasets.find(({ name }) => name === state.runConfig?.dataset)?.classes,
  );
  const hasRun = useApp((state) => state.runId > 0);
  const ready = confusion && classes && confusion.length === classes.length ** 2;
  return (
    <Panel
      title="Right and wrong"
      aside={lastEvaluation && <span className={styles.when}>after {format.steps(lastEvaluation.step)}</span>}
      explanation="Every test image, by what it is and what the model took it for. The diagonal is right. Press a number to see its images."
    >
      {ready ? (
        <>
          <div className={styles.mistakes}>
            <Confusion classes={classes} counts={confusion} onPress={lookAt} />
            <Commonest classes={classes} counts={confusion} />
          </div>
          {lastEvaluation && <Worst tested={lastEvaluation.step} classes={classes} />}
        </>
      ) : (
        <div className={styles.empty}>
          <p>The first epoch fills this table{hasRun ? ', or a test now.' : '.'}</p>
          {hasRun && <ActionButton action={testNow} />}
        </div>
      )}
    </Panel>
  );
}

/** The images of a cell, in Inspect. */
function lookAt(truth: number, answer: number): void {
  useInspect.getState().setSampleFilter({ truth, answer, mistakesOnly: truth !== answer });
  go(hrefOf('inspect', 'mistakes'));
}

function Commonest({ classes, counts }: { classes: readonly string[]; counts: Uint32Array }) {
  const mistakes = commonest(counts, classes.length, 5);
  return (
    <div className={styles.commonest}>
      <h3>Most mistaken</h3>
      {mistakes.length === 0 && <p>No mistakes at all.</p>}
      <ol>
        {mistakes.map(({ truth, answer, count }) => (
          <li key={`${truth} ${answer}`}>
            <b>{classes[truth]}</b> taken for <b>{classes[answer]}</b>
            <span>
              {format.count(count)} {count === 1 ? 'time' : 'times'}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
