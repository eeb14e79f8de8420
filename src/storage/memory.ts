import { pathParts, type FileStore } from './file-store.ts';

/** Keeps files until the page is closed: for browsers that refuse storage, as some do in private windows. */
export class MemoryFileStore implements FileStore {
  private readonly files = new Map<string, Uint8Array<ArrayBuffer>>();

  read(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return Promise.resolve(this.files.get(pathParts(path).join('/'))?.slice());
  }

  write(path: string, bytes: Uint8Array): Promise<void> {
    this.files.set(pathParts(path).join('/'), Uint8Array.from(bytes));
    return Promise.resolve();
  }

  remove(path: string): Promise<void> {
    for (const key of this.files.keys())
      if (key === path || key.startsWith(`${path}/`)) this.files.delete(key);
    return Promise.resolve();
  }

  list(folder: string): Promise<string[]> {
    return Promise.resolve([...this.files.keys()].filter((key) => key.startsWith(`${folder}/`)).sort());
  }
}
