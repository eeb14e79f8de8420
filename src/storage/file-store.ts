import { assert } from '../base/assert.ts';

/**
 * Files by path, such as "datasets/mnist/train-labels.gz": the browser's private files, a folder on disk, or memory. A
 * file exists either completely or not at all. Errors of the system (no space, no permission) are `storage` failures.
 */
export interface FileStore {
  /** The file's bytes, or those of a part of it; undefined if there is none. */
  read(path: string, start?: number, end?: number): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /**
   * Writes the file atomically: beside, flushed to disk, then renamed. A reader, or a crash, sees the old content or the
   * new, never a part.
   * @param previous the old file, if there is one, is renamed to this name in the same folder
   */
  write(path: string, bytes: Uint8Array, previous?: string): Promise<void>;
  /** Deletes a file, or a folder with its content. Does nothing if it does not exist. */
  remove(path: string): Promise<void>;
  /** Paths of all files in a folder ("" for the whole store) and below, sorted; none if it does not exist. */
  list(folder: string): Promise<string[]>;
  /** The bytes of a file, or of all files in a folder and below; 0 if it does not exist. */
  size(path: string): Promise<number>;
}

/** What an unfinished write leaves behind ends in this. */
export const PART = '.part';

/** The parts of a path. Only plain names are allowed, so no path leads out of the store. */
export function pathParts(path: string): string[] {
  const parts = path.split('/');
  for (const part of parts) assert(/^[\w-][\w.-]*$/.test(part), `"${path}" is no path in a file store`);
  return parts;
}

/** Holds files in memory until the page is closed, for browsers that refuse storage, as some do in private windows. */
export class MemoryFileStore implements FileStore {
  private readonly files = new Map<string, Uint8Array<ArrayBuffer>>();

  read(path: string, start?: number, end?: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return Promise.resolve(this.files.get(pathParts(path).join('/'))?.slice(start, end));
  }

  write(path: string, bytes: Uint8Array, previous?: string): Promise<void> {
    const parts = pathParts(path);
    const old = this.files.get(path);
    if (old && previous !== undefined) this.files.set([...parts.slice(0, -1), previous].join('/'), old);
    this.files.set(path, Uint8Array.from(bytes));
    return Promise.resolve();
  }

  remove(path: string): Promise<void> {
    for (const key of this.files.keys())
      if (key === path || key.startsWith(`${path}/`)) this.files.delete(key);
    return Promise.resolve();
  }

  list(folder: string): Promise<string[]> {
    const start = folder && `${folder}/`;
    return Promise.resolve([...this.files.keys()].filter((key) => key.startsWith(start)).sort());
  }

  size(path: string): Promise<number> {
    const inside = [...this.files].filter(([key]) => key === path || key.startsWith(`${path}/`));
    return Promise.resolve(inside.reduce((sum, [, { length }]) => sum + length, 0));
  }
}
