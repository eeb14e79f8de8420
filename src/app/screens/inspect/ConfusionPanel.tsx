import { useState } from 'react';
import { testNow, train } from '../../actions/actions.ts';
import { ActionButton } from '../../actions/ActionButton.tsx';
import { Confusion } from '../../charts/confusion/Confusion.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import * as format from '../../format.ts';
import type { Evaluation } from '../../../run/metrics/rows.ts';
import { useLive } from '../../metrics/use-live.ts';
import { useApp } from '../../state/store.ts';
import { padDataset } from '../../pad/pad-dataset.ts';
import styles from './Inspect.module.css';
import { MomentSlider } from './Recording.tsx';
import { useInspect } from '../../inspect-store.ts';

type Matrix = Evaluation & { confusion: Uint32Array };

/** The confusion matrix of each test. Selecting a cell of the latest one filters the gallery. */
export function ConfusionPanel() {
  const { evaluations } = useLive('tables');
  const classes = useApp((state) => padDataset(state)?.classes);
  const hasRun = useApp((state) => state.runId > 0);
  const filter = useInspect((state) => state.sampleFilter);
  const setFilter = useInspect((state) => state.setSampleFilter);
  // The index of a test; undefined follows the latest.
  const [chosen, setChosen] = useState<number>();
  const kept = evaluations.filter(
    (one): one is Matrix =>
      one.confusion !== undefined && one.confusion.length === (classes?.length ?? 0) ** 2,
  );
  const last = kept.length - 1;
  const at = Math.min(chosen ?? last, last);
  const shown = kept.at(at);
  if (!classes || !shown) {
    return (
      <Panel
        title="Confusion matrix"
        explanation="Test images by true class (rows) and predicted class (columns)."
      >
        <div className={styles.empty}>
          {hasRun ? (
            <>
              <p>Not tested yet. The model is tested after each epoch, or test it now.</p>
              <ActionButton action={testNow} kind="primary" />
            </>
          ) : (
            <>
              <p>No model yet. Train one to see its confusion matrix after the first epoch.</p>
              <ActionButton action={train} kind="primary" />
            </>
          )}
        </div>
      </Panel>
    );
  }
  const newest = at === last;
  const pick = (label: number, prediction: number) => {
    setChosen(undefined);
    const same = filter.label === label && filter.prediction === prediction;
    setFilter(
      same
        ? { label: undefined, prediction: undefined, mistakesOnly: true }
        : { label, prediction, mistakesOnly: label !== prediction },
    );
  };
  return (
    <Panel
      title="Confusion matrix"
      aside={<ActionButton action={testNow} />}
      explanation="Test images by true class (rows) and predicted class (columns). Select a cell to see its images."
    >
      {kept.length > 1 && (
        <div className={styles.tests}>
          <MomentSlider
            label="Test"
            at={at}
            count={kept.length}
            moment={momentOf(shown)}
            text={`${format.count(at + 1)} of ${format.count(kept.length)}`}
            onChange={setChosen}
          />
        </div>
      )}
      <p className={`soft ${styles.accuracy}`}>
        <b>{format.percent(shown.testAccuracy, 2)}</b> correct at {momentOf(shown)}
      </p>
      <Confusion
        classes={classes}
        counts={shown.confusion}
        {...(newest ? { onPress: pick } : {})}
        selected={newest ? filter : undefined}
      />
      {kept.length < evaluations.length && (
        <p className="faint">
          Showing {format.count(kept.length)} tests; intermediate ones were dropped to save memory.
        </p>
      )}
      {!newest && (
        <p className="faint">
          Images are available for the latest test only. Move the slider to the end to see them.
        </p>
      )}
    </Panel>
  );
}

/** Only a test at the end of an epoch knows the epoch's training loss. */
const momentOf = ({ step, epoch, trainLoss }: Evaluation): string =>
  `step ${format.count(step)}, ` +
  (trainLoss === undefined ? `in epoch ${format.count(epoch + 1)}` : `after epoch ${format.count(epoch)}`);
