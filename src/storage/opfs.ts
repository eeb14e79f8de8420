/**
 * Files in the origin private file system, which browsers may clear when space runs short: a cache, not a safe.
 * https://fs.spec.whatwg.org
 */
import { lazily } from '../base/lazily.ts';
import { Failure } from '../base/result.ts';
import { isFull, storageReason, WHEN_FULL } from '../base/storage-error.ts';
import { uniqueId } from '../base/unique-id.ts';
import { PART, pathParts, type FileStore } from './file-store.ts';

/** Where a crash interrupts createWritable, some browsers leave a file with this extension. */
const SWAP_SUFFIX = '.crswap';
const isRemains = (name: string): boolean => name.endsWith(PART) || name.endsWith(SWAP_SUFFIX);

/** How often a file is opened that cannot be read: another tab, or another part of this one, may replace it again and again. */
const READS = 10;
/** How much longer each pause between is. */
const PAUSE_MS = 5;

const database = lazily(() => import('./database-directory.ts'));

const isNotFound = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'NotFoundError';

function unlessNotFound(error: unknown): undefined {
  if (!isNotFound(error)) throw error;
}

/** The failure for an error of the browser's storage. */
export const refused = (what: string, cause: unknown): Failure => {
  if (cause instanceof Failure) return cause;
  return new Failure(
    'storage',
    `the browser's storage could not ${what}: ${storageReason(cause)}`,
    isFull(cause) ? WHEN_FULL : 'Loaded data stays available until you close this page.',
    { cause },
  );
};

export class OpfsFileStore implements FileStore {
  /** @param root a folder used only by this store. It is asked for each time: storage may be cleared meanwhile */
  constructor(private readonly root: () => Promise<FileSystemDirectoryHandle>) {}

  async read(path: string, start = 0, end?: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    for (let again = 1; ; again++) {
      let opened: FileSystemFileHandle | undefined;
      try {
        const [folder, name] = await this.locate(path, false);
        opened = await folder.getFileHandle(name);
        return new Uint8Array(await (await opened.getFile()).slice(start, end).arrayBuffer());
      } catch (error) {
        if (!opened && isNotFound(error)) return undefined;
        // Somebody may have replaced it after it was opened, which no other file store shows.
        if (!opened || again === READS) throw refused(`read ${path}`, error);
        await new Promise((done) => setTimeout(done, again * PAUSE_MS));
      }
    }
  }

  async write(path: string, bytes: Uint8Array, previous?: string): Promise<void> {
    try {
      const [folder, name] = await this.locate(path, true);
      const part = `${name}.${uniqueId().slice(0, 8)}${PART}`;
      const beside = (await folder.getFileHandle(part, { create: true })) as MovableFile;
      try {
        await overwrite(beside, bytes as Uint8Array<ArrayBuffer>);
        if (previous !== undefined) await rename(folder, name, previous);
        await beside.move(folder, name);
      } catch (error) {
        await folder.removeEntry(part).catch(() => undefined);
        throw error;
      }
    } catch (error) {
      throw refused(`write ${path}`, error);
    }
  }

  async remove(path: string): Promise<void> {
    try {
      const [folder, name] = await this.locate(path, false);
      await folder.removeEntry(name, { recursive: true });
    } catch (error) {
      if (!isNotFound(error)) throw refused(`remove ${path}`, error);
    }
  }

  async list(path: string): Promise<string[]> {
    const paths: string[] = [];
    const walk = async (folder: FileSystemDirectoryHandle, prefix: string): Promise<void> => {
      for await (const [name, handle] of folder.entries()) {
        if (handle.kind === 'directory') await walk(handle as FileSystemDirectoryHandle, `${prefix}${name}/`);
        else if (!isRemains(name)) paths.push(prefix + name);
      }
    };
    try {
      if (path === '') await walk(await this.root(), '');
      else await walk(await this.folder(path), `${path}/`);
    } catch (error) {
      if (!isNotFound(error)) throw refused(`list ${path}`, error);
    }
    return paths.sort();
  }

  /** The names of the folders, also of those in which a crash left nothing but the remains of a file. */
  async folders(): Promise<string[]> {
    const names: string[] = [];
    try {
      for await (const [name, { kind }] of (await this.root()).entries())
        if (kind === 'directory') names.push(name);
    } catch (error) {
      if (!isNotFound(error)) throw refused('list folders', error);
    }
    return names.sort();
  }

  async size(path: string): Promise<number> {
    const sizeOf = async (handle: FileSystemHandle): Promise<number> => {
      if (handle.kind === 'file') {
        // Another tab may have replaced it, or given it its name.
        const file = await (handle as FileSystemFileHandle).getFile().catch(unlessNotFound);
        return file?.size ?? 0;
      }
      let sum = 0;
      for await (const [, inner] of (handle as FileSystemDirectoryHandle).entries())
        sum += await sizeOf(inner);
      return sum;
    };
    try {
      const [folder, name] = await this.locate(path, false);
      for await (const [other, handle] of folder.entries()) if (other === name) return await sizeOf(handle);
      return 0;
    } catch (error) {
      if (isNotFound(error)) return 0;
      throw refused(`measure ${path}`, error);
    }
  }

  /** Deletes the remains of unfinished writes in a folder and below. Files that are being written stay. */
  async sweep(path = ''): Promise<void> {
    const walk = async (folder: FileSystemDirectoryHandle): Promise<void> => {
      for await (const [name, handle] of folder.entries()) {
        if (handle.kind === 'directory') await walk(handle as FileSystemDirectoryHandle);
        else if (isRemains(name)) await folder.removeEntry(name).catch(() => undefined);
      }
    };
    await walk(path === '' ? await this.root() : await this.folder(path));
  }

  private async folder(path: string): Promise<FileSystemDirectoryHandle> {
    const [folder, name] = await this.locate(path, false);
    return folder.getDirectoryHandle(name);
  }

  /** The parent folder of a path, and its last component. */
  private async locate(path: string, create: boolean): Promise<[FileSystemDirectoryHandle, string]> {
    const parts = pathParts(path);
    const name = parts.pop() as string;
    let folder = await this.root();
    for (const part of parts) folder = await folder.getDirectoryHandle(part, { create });
    return [folder, name];
  }
}

/** What is not in TypeScript's types: https://github.com/whatwg/fs/pull/10 */
interface MovableFile extends FileSystemFileHandle {
  /** Replaces a file of that name. */
  move(folder: FileSystemDirectoryHandle, name: string): Promise<void>;
}

/** What workers have, and IndexedDB's files have not. */
interface SyncFile extends FileSystemFileHandle {
  createSyncAccessHandle(): Promise<{
    write(bytes: Uint8Array<ArrayBuffer>, options: { at: number }): number;
    truncate(bytes: number): void;
    flush(): void;
    close(): void;
  }>;
}

/** Renames a file, if it exists. */
async function rename(folder: FileSystemDirectoryHandle, from: string, to: string): Promise<void> {
  try {
    await ((await folder.getFileHandle(from)) as MovableFile).move(folder, to);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** What is written at once: meanwhile the worker does nothing else, and a disk takes some 40 ms for it. */
const SLICE_BYTES = 4 << 20;

/**
 * Writes a file in place, in a worker, which can do other things between its slices; a crash leaves a part of it.
 * @throws Failure `storage` if the browser does not take all of it
 */
async function overwrite(file: FileSystemFileHandle, bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  if (!(file as Partial<SyncFile>).createSyncAccessHandle) {
    const writable = await file.createWritable();
    await writable.write(bytes);
    await writable.close();
    return;
  }
  const access = await (file as SyncFile).createSyncAccessHandle();
  try {
    access.truncate(0);
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      if (at > 0) await new Promise((done) => setTimeout(done));
      const slice = bytes.subarray(at, at + SLICE_BYTES);
      const written = access.write(slice, { at });
      if (written !== slice.length)
        throw new Failure('storage', `the browser's storage took ${at + written} bytes of ${bytes.length}`);
      access.flush();
    }
  } finally {
    access.close();
  }
}

/**
 * A folder of the browser's private files or, where it has none, of its database.
 * @throws what the browser says if it has neither
 */
export async function privateFolder(name: string): Promise<FileSystemDirectoryHandle> {
  try {
    const origin = await navigator.storage.getDirectory();
    return await origin.getDirectoryHandle(name, { create: true });
  } catch (refusal) {
    try {
      return await (await database()).databaseFolder(name);
    } catch {
      throw refusal;
    }
  }
}

/**
 * Opens the browser's private files, in a worker or a page, and cleans them up.
 * @throws Failure `storage` if the browser refuses, as some do in private windows; use a `MemoryFileStore` then
 */
export async function openOpfs(): Promise<OpfsFileStore> {
  try {
    const store = new OpfsFileStore(() => privateFolder('wgrad'));
    await store.sweep();
    return store;
  } catch (error) {
    throw refused('be opened', error);
  }
}
