import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a temporary file, flushes it to disk, then renames it: readers, and a crash, see the old file or the new one,
 * never a part. Processes that write at the same time do not interfere.
 * @param before called when all bytes are on disk, before the file is renamed
 */
export async function replaceFile(
  path: string,
  contents: Uint8Array | string,
  before: () => Promise<void> = async () => undefined,
): Promise<void> {
  const part = `${path}.${process.pid}.part`;
  try {
    const file = await open(part, 'w');
    try {
      await file.writeFile(contents);
      await file.sync();
    } finally {
      await file.close();
    }
    await before();
    await rename(part, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Flushes the folder's entries as well. Windows cannot open folders, and does not need it. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
