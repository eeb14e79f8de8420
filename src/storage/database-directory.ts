/**
 * IndexedDB as a folder of files, for browsers without private files, as some private windows are: the part of
 * FileSystemDirectoryHandle and FileSystemFileHandle that this room uses. A file is one value under its path, so a write
 * replaces it whole.
 */
import { createStore, del, delMany, get, keys, set, type UseStore } from 'idb-keyval';

const notFound = (path: string): DOMException => new DOMException(`there is no ${path}`, 'NotFoundError');

export class DatabaseDirectory {
  readonly kind = 'directory';

  /** @param path ends with "/", unless it is empty */
  constructor(
    private readonly store: UseStore,
    readonly path = '',
  ) {}

  /** As the browser's type. */
  get handle(): FileSystemDirectoryHandle {
    return this as unknown as FileSystemDirectoryHandle;
  }

  async getDirectoryHandle(name: string, { create = false } = {}): Promise<DatabaseDirectory> {
    const inner = new DatabaseDirectory(this.store, `${this.path}${name}/`);
    if (!create && (await inner.paths()).length === 0) throw notFound(inner.path);
    return inner;
  }

  async getFileHandle(name: string, { create = false } = {}): Promise<DatabaseFile> {
    const path = this.path + name;
    if (!(await this.paths()).includes(path)) {
      if (!create) throw notFound(path);
      await set(path, new Uint8Array(), this.store);
    }
    return new DatabaseFile(this.store, path, name);
  }

  async removeEntry(name: string): Promise<void> {
    const path = this.path + name;
    const removed = (await this.paths()).filter((one) => one === path || one.startsWith(`${path}/`));
    if (removed.length === 0) throw notFound(path);
    await delMany(removed, this.store);
  }

  async *entries(): AsyncGenerator<[string, DatabaseDirectory | DatabaseFile]> {
    const names = (await this.paths()).map((path) => path.slice(this.path.length));
    const folders = names.filter((name) => name.includes('/')).map((name) => name.split('/')[0]);
    for (const name of new Set(folders)) yield [name, await this.getDirectoryHandle(name, { create: true })];
    for (const name of names) {
      if (!name.includes('/')) yield [name, new DatabaseFile(this.store, this.path + name, name)];
    }
  }

  /** Of all files in this folder and below. */
  private async paths(): Promise<string[]> {
    const all = await keys<string>(this.store);
    return all.filter((path) => path.startsWith(this.path));
  }
}

class DatabaseFile {
  readonly kind = 'file';

  constructor(
    private readonly store: UseStore,
    private readonly path: string,
    readonly name: string,
  ) {}

  /** A crash in between leaves both files. */
  async move(folder: DatabaseDirectory, name: string): Promise<void> {
    const bytes = await get<Uint8Array>(this.path, this.store);
    if (!bytes) throw notFound(this.path);
    await set(folder.path + name, bytes, this.store);
    await del(this.path, this.store);
  }

  async getFile(): Promise<File> {
    const bytes = await get<Uint8Array<ArrayBuffer>>(this.path, this.store);
    if (!bytes) throw notFound(this.path);
    return new File([bytes], this.name);
  }

  async createWritable() {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    return {
      write: async (bytes: Uint8Array<ArrayBuffer>) => void parts.push(bytes),
      close: async () => set(this.path, new Uint8Array(await new Blob(parts).arrayBuffer()), this.store),
    };
  }
}

/** @throws what the browser says if it has no database either */
export async function databaseFolder(name: string): Promise<FileSystemDirectoryHandle> {
  const store = createStore('wgrad-files', 'files');
  await keys(store);
  return new DatabaseDirectory(store, `${name}/`).handle;
}
