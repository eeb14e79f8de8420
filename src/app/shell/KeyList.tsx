import { Dialog } from '../widgets/Dialog.tsx';
import { useApp } from '../state/store.ts';
import styles from './CommandPalette.module.css';

const KEYS: readonly { keys: readonly string[]; does: string; single: boolean }[] = [
  { keys: ['Ctrl', 'K'], does: 'Open the command palette (⌘K on a Mac)', single: false },
  { keys: ['?'], does: 'Show keyboard shortcuts', single: true },
  { keys: ['Space'], does: 'Train or pause (Train screen)', single: true },
  { keys: ['.'], does: 'Train one batch (Train screen)', single: true },
  { keys: ['P'], does: 'Present: larger type, for a projector', single: true },
  { keys: ['Tab'], does: 'Move to the next control', single: false },
  { keys: ['Esc'], does: 'Close', single: false },
];

/** What each key does, and the switch for single-key shortcuts. */
export function KeyList({ onClose }: { onClose(): void }) {
  const hotkeys = useApp((state) => state.hotkeys);
  const setHotkeys = useApp((state) => state.setHotkeys);
  return (
    <Dialog
      title="Keyboard shortcuts"
      actions={
        <label className={`beside ${styles.single}`}>
          <input type="checkbox" checked={hotkeys} onChange={(event) => setHotkeys(event.target.checked)} />
          Enable single-key shortcuts
        </label>
      }
      onClose={onClose}
    >
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
    </Dialog>
  );
}
