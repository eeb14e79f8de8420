/**
 * Files in the origin private file system, which browsers may clear when space runs short: a cache, not a safe.
 * https://fs.spec.whatwg.org
 */
import { lazily } from '../base/lazily.ts';
import { Failure } from '../base/result.ts';
import { isFull, storageReason, WHEN_FULL } from '../base/storage-error.ts';
import { pathParts, type FileStore } from './file-store.ts';

/** Chromium writes to a file with this extension and swaps it in on close; a crash leaves it behind. */
const SWAP_SUFFIX = '.crswap';

const database = lazily(() => import('./database-directory.ts'));

const isNotFound = (error: unknown): boolean =>
  error instanceof DOMException && error.name === 'NotFoundError';

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

/** @param root a folder used only by this store; see `openOpfs` */
export class OpfsFileStore implements FileStore {
  constructor(private readonly root: FileSystemDirectoryHandle) {}

  async read(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    try {
      const [folder, name] = await this.locate(path, false);
      const file = await (await folder.getFileHandle(name)).getFile();
      return new Uint8Array(await file.arrayBuffer());
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw refused(`read ${path}`, error);
    }
  }

  async write(path: string, bytes: Uint8Array): Promise<void> {
    try {
      const [folder, name] = await this.locate(path, true);
      const handle = await folder.getFileHandle(name, { create: true });
      const write = (handle as Partial<FileSystemFileHandle>).createWritable ? replace : replaceByMove;
      try {
        await write(folder, handle, bytes as Uint8Array<ArrayBuffer>);
      } catch (error) {
        // getFileHandle created an empty file if there was none; readers must not see it.
        if ((await handle.getFile()).size === 0 && bytes.length > 0) await folder.removeEntry(name);
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
        else if (!name.endsWith(SWAP_SUFFIX)) paths.push(prefix + name);
      }
    };
    try {
      const [folder, name] = await this.locate(path, false);
      await walk(await folder.getDirectoryHandle(name), `${path}/`);
    } catch (error) {
      if (!isNotFound(error)) throw refused(`list ${path}`, error);
    }
    return paths.sort();
  }

  /** Deletes the remains of unfinished writes. Files that another tab is writing stay. */
  async sweep(): Promise<void> {
    const walk = async (folder: FileSystemDirectoryHandle): Promise<void> => {
      for await (const [name, handle] of folder.entries()) {
        if (handle.kind === 'directory') await walk(handle as FileSystemDirectoryHandle);
        else if (name.endsWith(SWAP_SUFFIX)) await folder.removeEntry(name).catch(() => undefined);
      }
    };
    await walk(this.root);
  }

  /** The parent folder of a path, and its last component. */
  private async locate(path: string, create: boolean): Promise<[FileSystemDirectoryHandle, string]> {
    const parts = pathParts(path);
    const name = parts.pop() as string;
    let folder = this.root;
    for (const part of parts) folder = await folder.getDirectoryHandle(part, { create });
    return [folder, name];
  }
}

/** Writes go to a temporary file until close() puts it in place, so a crash leaves the old content. */
const replace = (
  _folder: FileSystemDirectoryHandle,
  file: FileSystemFileHandle,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> => stream(file, [bytes]);

async function stream(file: FileSystemFileHandle, parts: readonly Uint8Array<ArrayBuffer>[]): Promise<void> {
  const writable = await file.createWritable();
  try {
    for (const part of parts) await writable.write(part);
    await writable.close();
  } catch (error) {
    await writable.abort().catch(() => undefined);
    throw error;
  }
}

/** The same for Safari before 26, which has no createWritable; in workers alone. */
async function replaceByMove(
  folder: FileSystemDirectoryHandle,
  file: FileSystemFileHandle,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<void> {
  const beside = await folder.getFileHandle(file.name + SWAP_SUFFIX, { create: true });
  await overwrite(beside, [bytes]);
  await (beside as WorkerFileHandle).move(folder, file.name);
}

/** What is not in TypeScript's types: sync access, which workers have, and moves. */
interface WorkerFileHandle extends FileSystemFileHandle {
  createSyncAccessHandle(): Promise<{
    write(bytes: Uint8Array<ArrayBuffer>, options: { at: number }): number;
    truncate(bytes: number): void;
    flush(): void;
    close(): void;
  }>;
  /** https://github.com/whatwg/fs/pull/10 */
  move(folder: FileSystemDirectoryHandle, name: string): Promise<void>;
}

/**
 * Writes a file in place, in a worker; a crash leaves a part of it.
 * @throws Failure `storage` if the browser does not take all of it
 */
export async function overwrite(
  file: FileSystemFileHandle,
  parts: readonly Uint8Array<ArrayBuffer>[],
): Promise<void> {
  // IndexedDB's files have none.
  if (!(file as Partial<WorkerFileHandle>).createSyncAccessHandle) return stream(file, parts);
  const access = await (file as WorkerFileHandle).createSyncAccessHandle();
  try {
    access.truncate(0);
    let at = 0;
    for (const part of parts) {
      const written = access.write(part, { at });
      if (written !== part.length) {
        throw new Failure('storage', `the browser's storage took ${written} bytes of ${part.length}`);
      }
      at += written;
    }
    access.flush();
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
    const store = new OpfsFileStore(await privateFolder('wgrad'));
    await store.sweep();
    return store;
  } catch (error) {
    throw refused('be opened', error);
  }
}
