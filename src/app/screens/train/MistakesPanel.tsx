import { memo, useEffect } from 'react';
import type { SamplePage } from '../../../worker/api.ts';
import { ActionButton } from '../../actions/ActionButton.tsx';
import { testNow } from '../../actions/actions.ts';
import { Confusion } from '../../charts/confusion/Confusion.tsx';
import { ask } from '../../client.ts';
import { useLiveAnswer } from '../../components/use-answer.ts';
import * as format from '../../format.ts';
import { useInspect } from '../../state/inspect-store.ts';
import { testedOn } from '../../journal/record.ts';
import { results as texts } from '../../messages/en/results.tsx';
import { live } from '../../metrics/live.ts';
import { useLive } from '../../metrics/use-live.ts';
import { Sample } from '../../pad/Sample.tsx';
import { go, hrefOf } from '../../route.ts';
import { useApp } from '../../state/store.ts';
import { Panel } from '../../widgets/Panel.tsx';
import styles from './Train.module.css';

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

interface MistakesProps {
  classes: readonly string[];
  /** The confusion matrix: size x size, rows are true classes. */
  counts: Uint32Array;
}

/** The confusion matrix, whose cells open their images in Inspect. */
const Matrix = memo(({ classes, counts }: MistakesProps) => (
  <Confusion classes={classes} counts={counts} dense onPress={lookAt} />
));

/** Opens the images of a cell in Inspect. */
function lookAt(label: number, prediction: number): void {
  useInspect.getState().setSampleFilter({ label, prediction, mistakesOnly: label !== prediction });
  go(hrefOf('inspect', 'mistakes'));
}

interface Mistake {
  label: number;
  prediction: number;
  count: number;
}

/** The `most` frequent mistakes of a confusion matrix (size x size, rows are true classes), most frequent first. */
export function commonest(counts: Uint32Array, size: number, most: number): Mistake[] {
  return Array.from(counts, (count, at) => ({ label: Math.floor(at / size), prediction: at % size, count }))
    .filter(({ label, prediction, count }) => label !== prediction && count > 0)
    .sort((a, b) => b.count - a.count)
    .slice(0, most);
}

function Commonest({ classes, counts }: MistakesProps) {
  const mistakes = commonest(counts, classes.length, 5);
  return (
    <ol className={styles.commonest} aria-label={texts.confused}>
      {mistakes.map(({ label, prediction, count }) => (
        <li key={`${label} ${prediction}`}>
          {texts.mistaken(<b>{classes[label]}</b>, <b>{classes[prediction]}</b>, count)}
        </li>
      ))}
    </ol>
  );
}

/** As many as fit in a row or two. */
const MAX_IMAGES = 16;
/** On a fast GPU, epochs pass faster than anybody can look. */
const ASK_EVERY_MS = 700;

interface MostConfidentProps extends MistakesProps {
  /** The step of the newest test. */
  tested: number;
}

/** The misclassified test images of the highest confidence, and the classes that are confused most. */
function MostConfident({ tested, classes, counts }: MostConfidentProps) {
  const runId = useApp((state) => state.runId);
  const [element, known] = useLiveAnswer<SamplePage, HTMLDivElement>(`${runId} ${tested}`, ASK_EVERY_MS, () =>
    ask((api) =>
      api.inspect.predictedSamples({ mistakesOnly: true, order: 'surest', first: 0, count: MAX_IMAGES }),
    ),
  );
  const page = known?.ok ? known.value : undefined;
  useEffect(() => {
    // On paper the panel is not in view, and asks for nothing.
    if (page) live.mistakes = page;
  }, [page]);
  return (
    // A tour leads there once there is something to select.
    <div ref={element} className={styles.worst} data-tour={page && 'mistakes'}>
      {page ? (
        <Images page={page} classes={classes} />
      ) : (
        <p className="fine">{known ? texts.afterTest : texts.loading}</p>
      )}
      {page && page.total > 0 && (
        <div className={styles.worstFoot}>
          <Commonest classes={classes} counts={counts} />
          <a href={hrefOf('inspect', 'mistakes')}>
            {page.total > MAX_IMAGES ? texts.viewAll(page.total) : texts.open}
          </a>
        </div>
      )}
    </div>
  );
}

const Images = memo(function Images({ page, classes }: { page: SamplePage; classes: readonly string[] }) {
  if (page.total === 0) return <p className="fine">{texts.none}</p>;
  return (
    <ul className={styles.images} data-named={classes.some(({ length }) => length > 2) || undefined}>
      {page.samples.map((sample, i) => (
        <li key={sample.index}>
          <Sample sample={sample} page={page} place={i} classes={classes} />
        </li>
      ))}
    </ul>
  );
});
