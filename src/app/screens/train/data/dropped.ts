import type { GivenFile } from '../../../../worker/api.ts';

/** What was dropped, all files with the folders they lie in. Must be called while the event is handled. */
export function droppedFiles(transfer: DataTransfer): Promise<GivenFile[]> {
  // Entries are there during the event only; what they lead to can be read later.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  return filesBelow(entries, '');
}

/** What was chosen in a file field, a folder or files. */
export const chosenFiles = (list: FileList): GivenFile[] =>
  [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));

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
    // Chromium answers a hundred at a time, and none when there are no more.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return all;
    all.push(...some);
  }
}
