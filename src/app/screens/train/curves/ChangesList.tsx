import { changesOf } from '../../../charts/curve/marks.ts';
import * as format from '../../../format.ts';
import { useLive } from '../../../metrics/use-live.ts';
import { showOrigin } from '../../../journal/origin.ts';
import { useApp } from '../../../state/store.ts';
import styles from './CurvesPanel.module.css';

/** What was changed on the way, as the marks of the curves have it, and where the run came from. */
export function ChangesList() {
  const { adjusted } = useLive();
  const start = useApp((state) => state.runConfig?.start);
  const changes = adjusted ? changesOf(adjusted) : [];
  if (changes.length === 0 && !start) return null;
  return (
    <section className={styles.changes} aria-label="On the way">
      {start && <p>From {showOrigin(start)}: it began with the weights that run had there.</p>}
      {changes.length > 0 && (
        <>
          <h3>Changed on the way</h3>
          <ul>
            {changes.map(({ step, what, before, after }) => (
              <li key={`${step} ${what}`}>
                After step {format.count(step)}: {what} {after}, before {before}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
