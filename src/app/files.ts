/** Files that come from a person: dropped, or chosen. */
import { fail, ok, type Result } from '../base/result.ts';
import type { GivenFile } from '../worker/api.ts';

/**
 * What a file contains. It may be gone since it was chosen, be a folder, or be larger than the browser can hold.
 * @param most bytes that are read
 */
export async function bytesOf(file: File, most = Infinity): Promise<Result<Uint8Array>> {
  const refused = (expected: string, found: string, advice: string): Result<Uint8Array> =>
    fail({ code: 'bad-file', message: `${file.name}: expected ${expected}, found ${found}`, advice });
  if (file.size > most)
    return refused(
      `at most ${most} bytes`,
      String(file.size),
      'Choose a smaller file, or split the archive.',
    );
  try {
    return ok(new Uint8Array(await file.arrayBuffer()));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return refused('a file that can be read', `“${why}”`, 'Choose it again where it is now.');
  }
}

/** All dropped files, with their folders. Must be called while the event is handled. */
export function droppedFiles(transfer: DataTransfer): Promise<GivenFile[]> {
  // Entries exist only during the event; what they lead to can be read later.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  // Some browsers and tools give files without entries.
  const files = [...transfer.files].map((file) => ({ path: file.name, file }));
  return entries.length > 0 ? filesBelow(entries, '') : Promise.resolve(files);
}

async function filesBelow(entries: readonly FileSystemEntry[], folder: string): Promise<GivenFile[]> {
  const found: GivenFile[] = [];
  for (const entry of entries) {
    const path = folder + entry.name;
    if (entry.isFile) {
      const file = await new Promise<File>((resolve, reject) => {
        (entry as FileSystemFileEntry).file(resolve, reject);
      });
      found.push({ path, file });
    } else {
      const inside = await entriesOf(entry as FileSystemDirectoryEntry);
      for (const one of await filesBelow(inside, `${path}/`)) found.push(one);
    }
  }
  return found;
}

async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    // Chromium returns a hundred at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return all;
    all.push(...some);
  }
}
