import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { Modal } from '../widgets/Dialog.tsx';
import { Icon } from '../widgets/Icon.tsx';
import { useApp } from '../state/store.ts';
import { commandsOf, found, type PaletteCommand } from './commands.ts';
import styles from './CommandPalette.module.css';

/** Rows that are shown; typing more finds the others. */
const MAX_ROWS = 60;

/** Every command of the page, found by typing. */
export function CommandPalette({ typed, onClose }: { typed: string; onClose(): void }) {
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const [query, setQuery] = useState(typed);
  const [place, setPlace] = useState(0);
  const state = useApp();
  const commands = useMemo(() => commandsOf(state), [state]);
  const shown = useMemo(() => found(commands, query).slice(0, MAX_ROWS), [commands, query]);
  const at = Math.min(place, shown.length - 1);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  const perform = (command: PaletteCommand | undefined) => {
    if (!command || command.obstacle !== undefined) return;
    onClose();
    void command.perform();
  };
  const move = (event: React.KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && shown.length > 0) {
      event.preventDefault();
      setPlace((at + step + shown.length) % shown.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      perform(shown[at]);
    }
  };
  return (
    <Modal className={styles.palette} aria-label="Commands" onClose={onClose}>
      <input
        className={styles.query}
        role="combobox"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={shown.length > 0 ? `${id}-${at}` : undefined}
        aria-label="Search commands"
        placeholder="Search for a command…"
        value={query}
        onKeyDown={move}
        onChange={(event) => {
          setQuery(event.target.value);
          setPlace(0);
        }}
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="Commands"
        className={styles.list}
        tabIndex={-1}
      >
        {shown.map((command, i) => (
          <Row
            key={command.id}
            id={`${id}-${i}`}
            command={command}
            selected={i === at}
            onPress={() => perform(command)}
          />
        ))}
      </div>
      <p role="status" className={styles.none}>
        {shown.length === 0 && 'No matching commands.'}
      </p>
    </Modal>
  );
}

interface RowProps {
  id: string;
  command: PaletteCommand;
  selected: boolean;
  onPress(): void;
}

const Row = ({ id, command: { icon, title, about, kind, obstacle }, selected, onPress }: RowProps) => (
  // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the text field above has the keys
  <div
    id={id}
    role="option"
    tabIndex={-1}
    aria-selected={selected}
    aria-disabled={obstacle !== undefined || undefined}
    className={styles.row}
    onClick={onPress}
  >
    <Icon name={icon} />
    <span className={styles.title}>{title}</span>
    <span className={`soft ${styles.about}`}>{obstacle ?? about}</span>
    <span className="soft">{kind}</span>
  </div>
);
