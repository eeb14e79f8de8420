import { memo, useEffect } from 'react';
import type { SamplePage } from '../../../worker/api.ts';
import { Confusion } from '../../charts/confusion/Confusion.tsx';
import { ask } from '../../client.ts';
import { useLiveAnswer } from '../../components/use-answer.ts';
import { Sample } from '../../pad/Sample.tsx';
import { go, hrefOf } from '../../route.ts';
import { useApp } from '../../state/store.ts';
import { lastMistakes } from './last-mistakes.ts';
import { results as texts } from '../../messages/en/results.tsx';
import styles from './Train.module.css';
import { useInspect } from '../../state/inspect-store.ts';

interface MistakesProps {
  classes: readonly string[];
  /** The confusion matrix: size x size, rows are true classes. */
  counts: Uint32Array;
}

/** The confusion matrix, whose cells open their images in Inspect. */
export const Matrix = memo(({ classes, counts }: MistakesProps) => (
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
const MOST = 16;
/** On a fast GPU, epochs pass faster than anybody can look. */
const ASK_EVERY_MS = 700;

interface MostConfidentProps extends MistakesProps {
  /** The step of the newest test. */
  tested: number;
}

/** The misclassified test images of the highest confidence, and the classes that are confused most. */
export function MostConfident({ tested, classes, counts }: MostConfidentProps) {
  const runId = useApp((state) => state.runId);
  const [element, known] = useLiveAnswer<SamplePage, HTMLDivElement>(`${runId} ${tested}`, ASK_EVERY_MS, () =>
    ask((api) =>
      api.inspect.predictedSamples({ mistakesOnly: true, order: 'surest', first: 0, count: MOST }),
    ),
  );
  const page = known?.ok ? known.value : undefined;
  useEffect(() => {
    // On paper the panel is not in view, and asks for nothing.
    if (page) Object.assign(lastMistakes, { runId, page });
    // An answer that stays is another run's.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
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
            {page.total > MOST ? texts.viewAll(page.total) : texts.open}
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
