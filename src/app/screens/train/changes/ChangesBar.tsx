import { useEffect } from 'react';
import { changesOf } from '../../../charts/curve/marks.ts';
import { later } from '../../../components/later.tsx';
import * as format from '../../../format.ts';
import { showOrigin } from '../../../journal/origin.ts';
import { useLiveValue } from '../../../metrics/use-live.ts';
import { useApp } from '../../../state/store.ts';
import { followSettings, waitingChanges } from './changes.ts';
import styles from './ChangesBar.module.css';

const PendingChanges = later(
  'Pending changes',
  async () => (await import('./PendingChanges.tsx')).PendingChanges,
);

/** Passes changes on to the open run, and shows those that cannot act on it. */
export function ChangesBar() {
  useEffect(followSettings, []);
  const words = useApp((state) => waitingChanges(state).join(', '));
  return words !== '' && <PendingChanges words={words} />;
}

/** The settings that changed during the run, as the marks of the curves show them, and the run that it was forked from. */
export function ChangesList() {
  const adjusted = useLiveValue((live) => live.adjusted);
  const start = useApp((state) => state.runConfig?.start);
  const changes = adjusted ? changesOf(adjusted) : [];
  if (changes.length === 0 && !start) return null;
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
