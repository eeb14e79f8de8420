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
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() !== 'd') return false;
    act(duplicateSelected);
    return true;
  }
  if (event.altKey) {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return false;
    act(() => move(event.key === 'ArrowUp' ? 'up' : 'down'));
    return true;
  }
  switch (event.key) {
    case 'ArrowUp':
      go(at - 1);
      return true;
    case 'ArrowDown':
      go(at + 1);
      return true;
    case 'Home':
      go(0);
      return true;
    case 'End':
      go(rows.length - 1);
      return true;
    case 'ArrowRight':
      if (row.kind !== 'block') return false;
      if (row.open) go(at + 1);
      else toggle(row.id, true);
      return true;
    case 'ArrowLeft': {
      if (row.kind === 'block' && row.open) toggle(row.id, false);
      else if (row.level > 1) go(rows.findLastIndex(({ level }, i) => i < at && level < row.level));
      else return false;
      return true;
    }
    case 'Delete':
    case 'Backspace':
      act(removeSelected);
      return true;
    case 'Enter':
    case 'F2':
      toSettings();
      return true;
    case 'a':
    case 'A':
    case 'Insert':
      toPalette();
      return true;
    default:
      return false;
  }
}
