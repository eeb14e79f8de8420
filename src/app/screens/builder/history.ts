/** What was, what is, and what was undone. */
export interface History<T> {
  past: readonly T[];
  present: T;
  future: readonly T[];
  /** What kind of change the last one was; another of the same kind joins it. */
  merge?: string | undefined;
}

/** So many steps back are kept. */
const MOST = 200;

export const begin = <T>(present: T): History<T> => ({ past: [], present, future: [] });

/** @param merge changes of one kind that follow one another, such as letters typed into one field, are undone as one */
export function change<T>(history: History<T>, present: T, merge?: string): History<T> {
  if (present === history.present) return history;
  const joins = merge !== undefined && merge === history.merge;
  const past = joins ? history.past : [...history.past, history.present].slice(-MOST);
  return { past, present, future: [], merge };
}

export function undo<T>({ past, present, future }: History<T>): History<T> {
  if (past.length === 0) return { past, present, future };
  return { past: past.slice(0, -1), present: past[past.length - 1], future: [present, ...future] };
}

export function redo<T>({ past, present, future }: History<T>): History<T> {
  if (future.length === 0) return { past, present, future };
  return { past: [...past, present], present: future[0], future: future.slice(1) };
}
