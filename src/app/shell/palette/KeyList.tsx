import { useEffect, useRef } from 'react';
import { Button } from '../../components/Button.tsx';
import { useApp } from '../../state/store.ts';
import styles from './Palette.module.css';

const KEYS: readonly { keys: readonly string[]; does: string; single: boolean }[] = [
  {
    keys: ['Ctrl', 'K'],
    does: 'Everything that can be done, found by words (on a Mac: Cmd K)',
    single: false,
  },
  { keys: ['?'], does: 'This list', single: true },
  { keys: ['Space'], does: 'On Train: trains and pauses', single: true },
  { keys: ['.'], does: 'On Train: trains one batch', single: true },
  { keys: ['Tab'], does: 'Goes on to what can be pressed next', single: false },
  { keys: ['Esc'], does: 'Closes what was opened', single: false },
];

/** Which keys do what, and the switch for those that are pressed alone. */
export function KeyList({ onClose }: { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const hotkeys = useApp((state) => state.hotkeys);
  const setHotkeys = useApp((state) => state.setHotkeys);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className={styles.dialog} aria-label="Keys" onClose={onClose}>
      <h2 className={styles.head}>Keys</h2>
      <dl className={styles.keys}>
        {KEYS.map(({ keys, does, single }) => (
          <div key={does} data-off={(single && !hotkeys) || undefined}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div className={styles.foot}>
        <label>
          <input type="checkbox" checked={hotkeys} onChange={(event) => setHotkeys(event.target.checked)} />{' '}
          Keys that are pressed alone
        </label>
        <Button icon="close" onPress={onClose}>
          Close
        </Button>
      </div>
    </dialog>
  );
}
