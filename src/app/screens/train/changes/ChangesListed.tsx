import { changesOf } from '../../../charts/curve/marks.ts';
import { showOrigin } from '../../../journal/origin.ts';
import { useLiveValue } from '../../../metrics/use-live.ts';
import { useApp } from '../../../state/store.ts';
import { changes as texts } from '../../../messages/changes.ts';
import styles from './ChangesBar.module.css';

/** The settings that changed during the run, as the marks of the curves show them, and the run that it was forked from. */
export function ChangesListed() {
  const adjusted = useLiveValue((live) => live.adjusted);
  const start = useApp((state) => state.runConfig?.start);
  const changes = adjusted ? changesOf(adjusted) : [];
  return (
    <section className={`soft ${styles.changes}`} aria-label={texts.during}>
      {start && <p>{texts.forked(showOrigin(start))}</p>}
      {changes.length > 0 && (
        <>
          <h2>{texts.during}</h2>
          <ul>
            {changes.map(({ step, what, before, after }) => (
              <li key={`${step} ${what}`}>{texts.change(step, what, before, after)}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}
