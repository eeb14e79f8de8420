import { help as texts } from '../../messages/en/help.tsx';
import { useApp } from '../../state/store.ts';
import styles from './Help.module.css';

const KEYS: readonly {
  keys: readonly string[];
  does: Exclude<keyof typeof texts.keys, 'title' | 'single'>;
  single?: true;
}[] = [
  { keys: ['Ctrl', 'K'], does: 'commands' },
  { keys: ['?'], does: 'help', single: true },
  { keys: ['Space'], does: 'train', single: true },
  { keys: ['.'], does: 'step', single: true },
  { keys: ['P'], does: 'present', single: true },
  { keys: ['Tab'], does: 'tab' },
  { keys: ['Esc'], does: 'close' },
];

/** What each key does, and the switch for single-key shortcuts. */
export function Keys() {
  const hotkeys = useApp((state) => state.hotkeys);
  const setHotkeys = useApp((state) => state.setHotkeys);
  return (
    <>
      <dl className={styles.keys}>
        {KEYS.map(({ keys, does, single = false }) => (
          <div key={does} data-off={(single && !hotkeys) || undefined}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{texts.keys[does]}</dd>
          </div>
        ))}
      </dl>
      <label className={`beside ${styles.single}`}>
        <input type="checkbox" checked={hotkeys} onChange={(event) => setHotkeys(event.target.checked)} />
        {texts.keys.single}
      </label>
    </>
  );
}
