import { repeat } from '../../../actions/actions.ts';
import { ActionButton } from '../../../actions/ActionButton.tsx';
import { changesInWords } from '../../../../run/settings/adjustments.ts';
import { showOrigin } from '../../../journal/origin.ts';
import { useLive } from '../../../metrics/use-live.ts';
import { useApp } from '../../../state/store.ts';
import { changes as texts } from '../../../messages/en/changes.tsx';
import styles from './ChangesBar.module.css';

/** The settings that changed during the run, as the marks of the curves show them, and the run that it was forked from. */
export function ChangesListed() {
  const { changes } = useLive();
  const start = useApp((state) => state.runConfig?.start);
  const made = changes ? changesInWords(changes) : [];
  return (
    <section className={`soft ${styles.changes}`} aria-label={texts.during}>
      {start && <p>{texts.forked(showOrigin(start))}</p>}
      {made.length > 0 && (
        <>
          <h2>{texts.during}</h2>
          <ul>
            {made.map(({ step, what, before, after }) => (
              <li key={`${step} ${what}`}>{texts.change(step, what, before, after)}</li>
            ))}
          </ul>
          <ActionButton action={repeat} />
        </>
      )}
    </section>
  );
}
