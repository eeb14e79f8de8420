/** Where earlier versions kept runs. Most browsers have nothing there, and never fetch the code that moves it. */
import type { FileStore } from '../../../storage/file-store.ts';

/** A database. */
export const OLD_RECORDS = 'wgrad-runs';

/** Two files of a run, written in turns: a number that grows, in 8 bytes, then the checkpoint. */
export const SLOTS = ['run-0', 'run-1'] as const;

/** Folders that hold checkpoints of earlier versions. */
export async function oldFolders(files: FileStore): Promise<Set<string>> {
  const paths = (await files.list('')).map((path) => path.split('/'));
  return new Set(paths.flatMap(([id, name]) => (SLOTS.some((slot) => slot === name) ? [id] : [])));
}

/** Whether there may be something to move. */
export async function mayHaveOldRuns(files: FileStore): Promise<boolean> {
  const databases = await indexedDB.databases?.();
  if (!databases || databases.some(({ name }) => name === OLD_RECORDS)) return true;
  return (await oldFolders(files)).size > 0;
}
