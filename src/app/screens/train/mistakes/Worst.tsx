import { memo } from 'react';
import type { SamplePage } from '../../../../worker/api.ts';
import { ask } from '../../../client.ts';
import { useLiveAnswer } from '../../../components/use-answer.ts';
import * as format from '../../../format.ts';
import { Sample } from '../../../pad/Sample.tsx';
import { hrefOf } from '../../../route.ts';
import { useApp } from '../../../state/store.ts';
import styles from './MistakesPanel.module.css';

/** As many as fit a row or two. */
const MOST = 8;
/** On a fast GPU, epochs pass quicker than anybody looks. */
const ASK_EVERY_MS = 700;

interface WorstProps {
  /** The step of the newest test. */
  tested: number;
  classes: readonly string[];
}

/** The wrong answers that the model was surest of. */
export const Worst = memo(function Worst({ tested, classes }: WorstProps) {
  const runId = useApp((state) => state.runId);
  const [element, known] = useLiveAnswer<SamplePage, HTMLElement>(`${runId} ${tested}`, ASK_EVERY_MS, () =>
    ask((api) => api.judgedSamples({ mistakesOnly: true, order: 'surest', first: 0, count: MOST })),
  );
  const page = known?.ok ? known.value : undefined;
  return (
    <section ref={element} className={styles.worst} aria-label="Worst mistakes">
      <div className={styles.worstHead}>
        <h3>Worst mistakes</h3>
        {page && page.total > 0 && (
          <a href={hrefOf('inspect', 'mistakes')}>
            {page.total > MOST ? `All ${format.count(page.total)} in Inspect` : 'Look closer in Inspect'}
          </a>
        )}
      </div>
      {page ? (
        <Images page={page} classes={classes} />
      ) : (
        <p>{known ? 'The next test finds them.' : 'Looking for them…'}</p>
      )}
    </section>
  );
});

const Images = memo(function Images({ page, classes }: { page: SamplePage; classes: readonly string[] }) {
  if (page.total === 0) return <p>None: every test image is answered rightly.</p>;
  return (
    <>
      <p>Wrong answers that the model was surest of. Press one to follow it through the network.</p>
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
