import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file beside, brings it to the disk, then gives it its name: readers, and a crash, see the old file or the new
 * one, never a part. Processes that write at once do not disturb each other.
 * @param before called when all bytes are on the disk, before the file takes its name
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

/** Brings names to the disk, too. Windows does not open folders, and does not need it. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
