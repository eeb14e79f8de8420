import { useId, useState, type KeyboardEvent, type Ref } from 'react';
import { Panel } from '../../widgets/Panel.tsx';
import type { LayerKind } from '../../../worker/api.ts';
import { build as texts } from '../../messages/en/build.tsx';
import { add, focusRow, useBuild } from './build-store.ts';
import styles from './Build.module.css';
import { newLayer, PRESET_BLOCKS, type PresetBlock } from './new-layers.ts';

/** The type of a dragged entry's data, which is its name. */
export const DRAGGED_ENTRY = 'application/x-wgrad-entry';

export interface PaletteEntry {
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

/** What is found by the letters typed, and the entry among it that Enter adds. */
function useSearch() {
  const entries = useEntries();
  const [text, setText] = useState('');
  // Undefined until an arrow key is used: the best match.
  const [chosen, setChosen] = useState<number>();
  const found = entries.filter((entry) => matches(entry, text));
  const place = Math.min(chosen ?? bestMatch(found, text), found.length - 1);
  const current: PaletteEntry | undefined = found[place];
  const type = (letters: string) => {
    setText(letters);
    setChosen(undefined);
  };
  const leave = () => {
    type('');
    focusRow();
  };
  const take = (entry: PaletteEntry) => {
    entry.add();
    leave();
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
        leave();
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  return { text, found, current, type, take, press };
}

/** Layers to add by click, by dragging, or by typing a few letters and Enter. */
export function Palette({ search }: { search: Ref<HTMLInputElement> }) {
  const { text, found, current, type, take, press } = useSearch();
  const list = useId();
  const searching = text.trim() !== '';
  const optionId = (entry: PaletteEntry) => `${list}-${entry.name}`;
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
        onChange={(event) => type(event.target.value)}
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
                <Option
                  key={entry.name}
                  id={optionId(entry)}
                  entry={entry}
                  selected={entry === current && searching}
                  onTake={() => take(entry)}
                />
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

interface OptionProps {
  id: string;
  entry: PaletteEntry;
  selected: boolean;
  onTake(): void;
}

const Option = ({ id, entry: { name, title, explanation }, selected, onTake }: OptionProps) => (
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the search field handles keys
  <div
    id={id}
    role="option"
    tabIndex={-1}
    aria-selected={selected}
    className={styles.entry}
    title={explanation}
    draggable
    onDragStart={({ dataTransfer }) => {
      dataTransfer.setData(DRAGGED_ENTRY, name);
      dataTransfer.effectAllowed = 'copy';
    }}
    onClick={onTake}
  >
    {title}
  </div>
);

/** All layers and blocks that can be added. */
export function useEntries(): PaletteEntry[] {
  const kinds = useBuild((state) => state.catalogue?.kinds);
  return [...PRESET_BLOCKS.map(entryOfBlock), ...(kinds ?? []).map(entryOfKind)];
}

const entryOfKind = (kind: LayerKind): PaletteEntry => ({
  name: kind.op,
  title: kind.title,
  explanation: `${kind.everyday} ${kind.explanation}`,
  group: kind.group,
  stem: kind.stem,
  words: `${kind.op.replaceAll('_', ' ')} ${kind.stem} ${kind.op === 'linear' ? 'dense' : ''}`,
  add: (after) => add((layers) => [newLayer(kind, layers)], kind.title, after),
});

const entryOfBlock = ({ name, layers: make }: PresetBlock): PaletteEntry => ({
  name,
  title: texts.blocks[name].title,
  explanation: `${texts.blocks[name].everyday} ${texts.blocks[name].explanation}`,
  group: texts.palette.blocks,
  words: name,
  stem: name,
  add: (after) => add(make, texts.blocks[name].title, after),
});

/** The index of the entry with exactly this title or stem, else of the first that starts with it, else 0. */
function bestMatch(found: readonly PaletteEntry[], text: string): number {
  const letters = text.trim().toLowerCase();
  const exact = found.findIndex((entry) => entry.title.toLowerCase() === letters || entry.stem === letters);
  const begins = found.findIndex((entry) => entry.title.toLowerCase().startsWith(letters));
  return letters === '' ? 0 : Math.max(exact >= 0 ? exact : begins, 0);
}

/** Whether every typed word starts a word of the entry. */
export function matches({ title, words }: PaletteEntry, text: string): boolean {
  const own = `${title} ${words}`.toLowerCase().split(/\s+/);
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((part) => own.some((word) => word.startsWith(part)));
}

function grouped(entries: readonly PaletteEntry[]): [string, PaletteEntry[]][] {
  const groups = new Map<string, PaletteEntry[]>();
  for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return [...groups];
}
