import { memo } from 'react';
import type { SamplePage } from '../../../worker/api.ts';
import { Confusion } from '../../charts/confusion/Confusion.tsx';
import { ask } from '../../client.ts';
import { useLiveAnswer } from '../../components/use-answer.ts';
import * as format from '../../format.ts';
import { Sample } from '../../pad/Sample.tsx';
import { go, hrefOf } from '../../route.ts';
import { useApp } from '../../state/store.ts';
import styles from './Train.module.css';
import { useInspect } from '../../inspect-store.ts';

interface MistakesProps {
  classes: readonly string[];
  /** The confusion matrix: size x size, rows are true classes. */
  counts: Uint32Array;
  /** The step of the newest test; undefined for a run that was resumed. */
  tested: number | undefined;
}

/** The confusion matrix of the last test, its most frequent mistakes, and images of the most confident. */
export function Mistakes({ classes, counts, tested }: MistakesProps) {
  return (
    <>
      <div className={styles.mistakes}>
        <Confusion classes={classes} counts={counts} onPress={lookAt} />
        <Commonest classes={classes} counts={counts} />
      </div>
      {tested !== undefined && <MostConfident tested={tested} classes={classes} />}
    </>
  );
}

/** Opens the images of a cell in Inspect. */
function lookAt(label: number, prediction: number): void {
  useInspect.getState().setSampleFilter({ label, prediction, mistakesOnly: label !== prediction });
  go(hrefOf('inspect', 'mistakes'));
}

function Commonest({ classes, counts }: { classes: readonly string[]; counts: Uint32Array }) {
  const mistakes = commonest(counts, classes.length, 5);
  return (
    <div className={styles.commonest}>
      <h3>Most confused classes</h3>
      {mistakes.length === 0 && <p>No mistakes.</p>}
      <ol>
        {mistakes.map(({ label, prediction, count }) => (
          <li key={`${label} ${prediction}`}>
            <b>{classes[label]}</b> predicted as <b>{classes[prediction]}</b>
            <span>
              {format.count(count)} {count === 1 ? 'time' : 'times'}
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
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

/** As many as fit in a row or two. */
const MOST = 8;
/** On a fast GPU, epochs pass faster than anybody can look. */
const ASK_EVERY_MS = 700;

interface MostConfidentProps {
  /** The step of the newest test. */
  tested: number;
  classes: readonly string[];
}

/** The misclassified test images of the highest confidence. */
const MostConfident = memo(function MostConfident({ tested, classes }: MostConfidentProps) {
  const runId = useApp((state) => state.runId);
  const [element, known] = useLiveAnswer<SamplePage, HTMLElement>(`${runId} ${tested}`, ASK_EVERY_MS, () =>
    ask((api) => api.predictedSamples({ mistakesOnly: true, order: 'surest', first: 0, count: MOST })),
  );
  const page = known?.ok ? known.value : undefined;
  return (
    <section ref={element} className={`soft ${styles.worst}`} aria-label="Most confident mistakes">
      <div className="spread">
        <h3>Most confident mistakes</h3>
        {page && page.total > 0 && (
          <a href={hrefOf('inspect', 'mistakes')}>
            {page.total > MOST ? `View all ${format.count(page.total)} in Inspect` : 'Open in Inspect'}
          </a>
        )}
      </div>
      {page ? (
        <Images page={page} classes={classes} />
      ) : (
        <p>{known ? 'Available after the next test.' : 'Loading…'}</p>
      )}
    </section>
  );
});

const Images = memo(function Images({ page, classes }: { page: SamplePage; classes: readonly string[] }) {
  if (page.total === 0) return <p>None. Every test image is classified correctly.</p>;
  return (
    <>
      <p>Misclassified test images, highest confidence first. Select one to inspect it.</p>
      <ul className={styles.images}>
        {page.samples.map((sample, i) => (
          <li key={sample.index}>
            <Sample sample={sample} page={page} place={i} classes={classes} />
          </li>
        ))}
      </ul>
    </>
  );
});
