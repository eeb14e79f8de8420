/** The present state, those before it, and those that were undone. */
export interface UndoHistory<T> {
  past: readonly T[];
  present: T;
  future: readonly T[];
  /** The key of the last change; the next change with the same key joins it. */
  merge?: string | undefined;
}

/** Undo steps that are kept. */
const MAX_STEPS = 200;

export const startHistory = <T>(present: T): UndoHistory<T> => ({ past: [], present, future: [] });

/** @param merge consecutive changes with the same key, such as letters typed into one field, are undone together */
export function change<T>(history: UndoHistory<T>, present: T, merge?: string): UndoHistory<T> {
  if (present === history.present) return history;
  const joins = merge !== undefined && merge === history.merge;
  const past = joins ? history.past : [...history.past, history.present].slice(-MAX_STEPS);
  return { past, present, future: [], merge };
}

export function undo<T>({ past, present, future }: UndoHistory<T>): UndoHistory<T> {
  if (past.length === 0) return { past, present, future };
  return { past: past.slice(0, -1), present: past[past.length - 1], future: [present, ...future] };
}

export function redo<T>({ past, present, future }: UndoHistory<T>): UndoHistory<T> {
  if (future.length === 0) return { past, present, future };
  return { past: [...past, present], present: future[0], future: future.slice(1) };
}
