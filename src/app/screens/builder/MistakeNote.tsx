import { Button } from '../../components/Button.tsx';
import { Icon } from '../../components/Icon.tsx';
import { focusRow, mend } from './build-store.ts';
import styles from './MistakeNote.module.css';
import { useKnown, type Known } from './use-known.ts';

interface MistakeNoteProps {
  mistake: Known['mistakes'][number];
  /** Whether to say which layer it is about. */
  named: boolean;
}

/** What does not fit, and what mends it. */
export function MistakeNote({ mistake, named }: MistakeNoteProps) {
  const { current } = useKnown();
  return (
    <div className={styles.mistake} data-unfinished={mistake.unfinished || undefined}>
      <Icon name={mistake.unfinished ? 'info' : 'warning'} />
      <p>
        {named && mistake.name && <b>{mistake.name}: </b>}
        {mistake.message} {mistake.advice}
      </p>
      {mistake.mends.length > 0 && (
        <div className={styles.mends}>
          {mistake.mends.map(({ title, layers }) => (
            <Button
              key={title}
              icon="check"
              obstacle={current ? undefined : 'The model has changed: it is being looked at.'}
              onPress={() => {
                mend(title, layers);
                focusRow();
              }}
            >
              {title}
            </Button>
          ))}
        </div>
      )}
    </div>
  );
}
