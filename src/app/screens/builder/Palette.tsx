import { useId, useState, type KeyboardEvent, type Ref } from 'react';
import { Panel } from '../../components/Panel.tsx';
import type { LayerKind } from '../../../worker/api.ts';
import { add, focusRow, useBuild } from './build-store.ts';
import { newLayer, STRETCHES } from './new-layers.ts';
import styles from './Palette.module.css';

/** What dragged entries carry: their name. */
export const DRAGGED_ENTRY = 'application/x-wgrad-entry';

interface Entry {
  name: string;
  title: string;
  explanation: string;
  group: string;
  /** What new layers of it are called, less the number. */
  short: string;
  /** Other words that it may be looked for by. */
  words: string;
  add(behind?: string): void;
}

/** Layers that can be added, by a click, by dragging, or by typing a few letters and Enter. */
export function Palette({ search }: { search: Ref<HTMLInputElement> }) {
  const entries = useEntries();
  const [text, setText] = useState('');
  // Undefined until the arrows were used: what fits the letters best.
  const [chosen, setChosen] = useState<number>();
  const list = useId();
  const found = entries.filter((entry) => matches(entry, text));
  const place = Math.min(chosen ?? bestOf(found, text), found.length - 1);
  const current: Entry | undefined = found[place];
  const searching = text.trim() !== '';
  const optionId = (entry: Entry) => `${list}-${entry.name}`;

  const take = (entry: Entry) => {
    entry.add();
    setText('');
    setChosen(undefined);
    focusRow();
  };
  const press = (event: KeyboardEvent) => {
    switch (event.key) {
      case 'ArrowDown':
        setChosen(Math.min(place + 1, found.length - 1));
        break;
      case 'ArrowUp':
        setChosen(Math.max(place - 1, 0));
        break;
      case 'Enter':
        if (current) take(current);
        break;
      case 'Escape':
        setText('');
        setChosen(undefined);
        focusRow();
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  return (
    <Panel title="Add a layer" explanation="It comes in behind the selected one.">
      <input
        ref={search}
        className={styles.search}
        type="text"
        role="combobox"
        aria-label="Find a layer to add"
        aria-expanded
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={current && optionId(current)}
        placeholder="Find: conv, relu, sum …"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(undefined);
        }}
        onKeyDown={press}
      />
      <div id={list} role="listbox" aria-label="Layers" className={styles.list}>
        {grouped(found).map(([group, members]) => (
          <div key={group} role="group" aria-label={group} className={styles.group}>
            <p className={styles.caption} aria-hidden="true">
              {group}
            </p>
            <div className={styles.entries}>
              {members.map((entry) => (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the field above has the keys
                <div
                  key={entry.name}
                  id={optionId(entry)}
                  role="option"
                  tabIndex={-1}
                  aria-selected={entry === current && searching}
                  className={styles.entry}
                  title={entry.explanation}
                  draggable
                  onDragStart={(event) => {
                    event.dataTransfer.setData(DRAGGED_ENTRY, entry.name);
                    event.dataTransfer.effectAllowed = 'copy';
                  }}
                  onClick={() => take(entry)}
                >
                  {entry.title}
                </div>
              ))}
            </div>
          </div>
        ))}
      </div>
      <p role="status" className={found.length === 0 ? styles.none : 'unseen'}>
        {found.length === 0 ? 'No layer is called that.' : searching ? `${found.length} found.` : ''}
      </p>
    </Panel>
  );
}

/** Everything that can be added. */
export function useEntries(): Entry[] {
  const kinds = useBuild((state) => state.catalogue?.kinds);
  return [...STRETCHES.map(entryOfStretch), ...(kinds ?? []).map(entryOfKind)];
}

const entryOfKind = (kind: LayerKind): Entry => ({
  name: kind.op,
  title: kind.title,
  explanation: kind.explanation,
  group: kind.group,
  short: kind.stem,
  words: `${kind.op.replaceAll('_', ' ')} ${kind.stem} ${kind.op === 'linear' ? 'dense' : ''}`,
  add: (behind) => add((layers) => [newLayer(kind, layers)], kind.title, behind),
});

const entryOfStretch = (stretch: (typeof STRETCHES)[number]): Entry => ({
  name: stretch.name,
  title: stretch.title,
  explanation: stretch.explanation,
  group: 'Several at once',
  words: stretch.name,
  short: stretch.name,
  add: (behind) => add((layers, channels) => stretch.layers(layers, channels), stretch.title, behind),
});

/** The place of the entry that is called just so, else of the first that begins so, else the first. */
function bestOf(found: readonly Entry[], text: string): number {
  const letters = text.trim().toLowerCase();
  const exact = found.findIndex((entry) => entry.title.toLowerCase() === letters || entry.short === letters);
  const begins = found.findIndex((entry) => entry.title.toLowerCase().startsWith(letters));
  return letters === '' ? 0 : Math.max(exact >= 0 ? exact : begins, 0);
}

/** Every word that was typed begins a word of the entry. */
function matches({ title, words }: Entry, text: string): boolean {
  const own = `${title} ${words}`.toLowerCase().split(/\s+/);
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((part) => own.some((word) => word.startsWith(part)));
}

function grouped(entries: readonly Entry[]): [string, Entry[]][] {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return [...groups];
}
