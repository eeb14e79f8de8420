import { useState } from 'react';
import { testNow, train } from '../../actions/actions.ts';
import { ActionButton } from '../../actions/ActionButton.tsx';
import { Confusion } from '../../charts/confusion/Confusion.tsx';
import { Foreseen } from '../../components/Foreseen.tsx';
import { Panel } from '../../widgets/Panel.tsx';
import * as format from '../../format.ts';
import type { Evaluation } from '../../../run/metrics/rows.ts';
import { testedOn } from '../../journal/record.ts';
import { useLive } from '../../metrics/use-live.ts';
import { useApp } from '../../state/store.ts';
import { padDataset } from '../../pad/pad-dataset.ts';
import styles from './Inspect.module.css';
import { MomentSlider } from './Recording.tsx';
import { useInspect } from '../../state/inspect-store.ts';
import { inspect as texts } from '../../messages/inspect.ts';

type Matrix = Evaluation & { confusion: Uint32Array };

/** The confusion matrix of each test. Selecting a cell of the latest one filters the gallery. */
export function ConfusionPanel() {
  const { evaluations } = useLive('tables');
  const classes = useApp((state) => padDataset(state)?.classes);
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
  if (!classes || !shown) return <Untested />;
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
      title={texts.confusion.title}
      aside={<ActionButton action={testNow} />}
      explanation={texts.confusion.selectable}
    >
      {kept.length > 1 && (
        <div className={styles.tests}>
          <MomentSlider
            label={texts.confusion.test}
            at={at}
            count={kept.length}
            moment={momentOf(shown)}
            text={texts.of(at + 1, kept.length)}
            onChange={setChosen}
          />
        </div>
      )}
      <p className={`soft ${styles.accuracy}`}>
        {texts.confusion.correct(format.accuracy(shown.testAccuracy, testedOn(shown)), momentOf(shown))}
      </p>
      <Confusion
        classes={classes}
        counts={shown.confusion}
        {...(newest ? { onPress: pick } : {})}
        selected={newest ? filter : undefined}
      />
      {kept.length < evaluations.length && <p className="faint">{texts.confusion.dropped(kept.length)}</p>}
      {!newest && <p className="faint">{texts.confusion.latestOnly}</p>}
    </Panel>
  );
}

/** Before the first test: what leads to it. */
function Untested() {
  const hasRun = useApp((state) => state.runId > 0);
  return (
    <Panel title={texts.confusion.title} explanation={texts.confusion.explanation}>
      <Foreseen of="matrix">
        <p>{hasRun ? texts.confusion.untested : texts.confusion.untrained}</p>
        <ActionButton action={hasRun ? testNow : train} kind="primary" />
      </Foreseen>
    </Panel>
  );
}

/** Only a test at the end of an epoch knows the epoch's training loss. */
const momentOf = ({ step, epoch, trainLoss }: Evaluation): string =>
  trainLoss === undefined
    ? texts.confusion.inEpoch(step, epoch + 1)
    : texts.confusion.afterEpoch(step, epoch);
