import { useId, useState, type KeyboardEvent, type Ref } from 'react';
import { Panel } from '../../widgets/Panel.tsx';
import type { LayerKind } from '../../../worker/api.ts';
import { build as texts } from '../../messages/en/build.tsx';
import { add, focusRow, useBuild } from './build-store.ts';
import styles from './Build.module.css';
import { newLayer, PRESET_BLOCKS, type PresetBlock } from './new-layers.ts';

/** The type of a dragged entry's data, which is its name. */
export const DRAGGED_ENTRY = 'application/x-wgrad-entry';

export interface Entry {
  name: string;
  title: string;
  explanation: string;
  group: string;
  /** The stem of new layers' names. */
  stem: string;
  /** Further words that the search finds it by. */
  words: string;
  /** @param after the id of a row; default: the selected one */
  add(after?: string): void;
}

/** Layers to add by click, by dragging, or by typing a few letters and Enter. */
export function Palette({ search }: { search: Ref<HTMLInputElement> }) {
  const entries = useEntries();
  const [text, setText] = useState('');
  // Undefined until an arrow key is used: the best match.
  const [chosen, setChosen] = useState<number>();
  const list = useId();
  const found = entries.filter((entry) => matches(entry, text));
  const place = Math.min(chosen ?? bestMatch(found, text), found.length - 1);
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
    <Panel title={texts.palette.title} explanation={texts.palette.explanation} className={styles.side}>
      <input
        ref={search}
        className={styles.search}
        type="text"
        role="combobox"
        aria-label={texts.palette.find}
        aria-expanded
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={current && optionId(current)}
        placeholder={texts.palette.search}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(undefined);
        }}
        onKeyDown={press}
      />
      <div id={list} role="listbox" aria-label={texts.palette.layers}>
        {grouped(found).map(([group, members]) => (
          <div key={group} role="group" aria-label={group} className={styles.group}>
            <p className="fine" aria-hidden="true">
              {group}
            </p>
            <div className={styles.entries}>
              {members.map((entry) => (
                // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the search field handles keys
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
      <p role="status" className={found.length === 0 ? 'faint' : 'unseen'}>
        {found.length === 0 ? texts.palette.none : searching ? texts.palette.found(found.length) : ''}
      </p>
    </Panel>
  );
}

/** All layers and blocks that can be added. */
export function useEntries(): Entry[] {
  const kinds = useBuild((state) => state.catalogue?.kinds);
  return [...PRESET_BLOCKS.map(entryOfBlock), ...(kinds ?? []).map(entryOfKind)];
}

const entryOfKind = (kind: LayerKind): Entry => ({
  name: kind.op,
  title: kind.title,
  explanation: `${kind.everyday} ${kind.explanation}`,
  group: kind.group,
  stem: kind.stem,
  words: `${kind.op.replaceAll('_', ' ')} ${kind.stem} ${kind.op === 'linear' ? 'dense' : ''}`,
  add: (after) => add((layers) => [newLayer(kind, layers)], kind.title, after),
});

const entryOfBlock = ({ name, layers: make }: PresetBlock): Entry => ({
  name,
  title: texts.blocks[name].title,
  explanation: `${texts.blocks[name].everyday} ${texts.blocks[name].explanation}`,
  group: texts.palette.blocks,
  words: name,
  stem: name,
  add: (after) => add(make, texts.blocks[name].title, after),
});

/** The index of the entry with exactly this title or stem, else of the first that starts with it, else 0. */
function bestMatch(found: readonly Entry[], text: string): number {
  const letters = text.trim().toLowerCase();
  const exact = found.findIndex((entry) => entry.title.toLowerCase() === letters || entry.stem === letters);
  const begins = found.findIndex((entry) => entry.title.toLowerCase().startsWith(letters));
  return letters === '' ? 0 : Math.max(exact >= 0 ? exact : begins, 0);
}

/** Whether every typed word starts a word of the entry. */
export function matches({ title, words }: Entry, text: string): boolean {
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
