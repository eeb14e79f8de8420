import { changesOf } from '../../../charts/curve/marks.ts';
import * as format from '../../../format.ts';
import { showOrigin } from '../../../journal/origin.ts';
import { useLiveValue } from '../../../metrics/use-live.ts';
import { useApp } from '../../../state/store.ts';
import styles from './ChangesBar.module.css';

/** The settings that changed during the run, as the marks of the curves show them, and the run that it was forked from. */
export function ChangesListed() {
  const adjusted = useLiveValue((live) => live.adjusted);
  const start = useApp((state) => state.runConfig?.start);
  const changes = adjusted ? changesOf(adjusted) : [];
  return (
    <section className={`soft ${styles.changes}`} aria-label="Changes during this run">
      {start && <p>Forked from {showOrigin(start)}.</p>}
      {changes.length > 0 && (
        <>
          <h2>Changes during this run</h2>
          <ul>
            {changes.map(({ step, what, before, after }) => (
              <li key={`${step} ${what}`}>
                Step {format.count(step)}: {what} {before} → {after}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
