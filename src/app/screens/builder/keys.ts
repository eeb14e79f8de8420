/** Keys in the list of layers. */
import {
  currentRows,
  duplicateSelected,
  focusRow,
  move,
  redoEdit,
  removeSelected,
  select,
  toggle,
  undoEdit,
} from './build-store.ts';

type Pressed = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

interface Places {
  /** Focuses the search field of the palette. */
  toPalette(): void;
  /** Focuses the first setting of the selected row. */
  toSettings(): void;
}

/** Undo and redo, everywhere on the screen. @returns whether the key was handled */
export function historyKey({ key, ctrlKey, metaKey, shiftKey, altKey }: Pressed): boolean {
  if (!(ctrlKey || metaKey) || altKey) return false;
  const letter = key.toLowerCase();
  if (letter === 'z') (shiftKey ? redoEdit : undoEdit)();
  else if (letter === 'y') redoEdit();
  else return false;
  return true;
}

/** @returns whether the key was handled */
export function listKey(event: Pressed, { toPalette, toSettings }: Places): boolean {
  const { rows, row } = currentRows();
  const at = rows.indexOf(row);
  const go = (to: number) => {
    const next = rows[Math.min(Math.max(to, 0), rows.length - 1)];
    select(next.id);
    focusRow();
  };
  const act = (work: () => void) => {
    work();
    focusRow();
  };
  const plain = {
    ArrowUp: () => go(at - 1),
    ArrowDown: () => go(at + 1),
    Home: () => go(0),
    End: () => go(rows.length - 1),
    ArrowRight: row.kind === 'block' && (() => (row.open ? go(at + 1) : toggle(row.id, true))),
    ArrowLeft:
      row.kind === 'block' && row.open
        ? () => toggle(row.id, false)
        : row.level > 1 && (() => go(rows.findLastIndex(({ level }, i) => i < at && level < row.level))),
    Delete: () => act(removeSelected),
    Backspace: () => act(removeSelected),
    Enter: toSettings,
    F2: toSettings,
    a: toPalette,
    Insert: toPalette,
  };
  const withControl = { d: () => act(duplicateSelected) };
  const withAlt = { ArrowUp: () => act(() => move('up')), ArrowDown: () => act(() => move('down')) };
  const keys: Readonly<Record<string, false | (() => void)>> =
    event.ctrlKey || event.metaKey ? withControl : event.altKey ? withAlt : plain;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const work = Object.hasOwn(keys, key) && keys[key];
  if (work) work();
  return work !== false;
}
