import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { assert } from '../base/assert.ts';
import { Failure } from '../base/result.ts';
import type { FileStore } from '../storage/file-store.ts';

/**
 * Writes a temporary file, flushes it to disk, then renames it: readers, and a crash, see the old file or the new one,
 * never a part. Processes that write at the same time do not interfere.
 * @param previous the old file, if there is one, is renamed to this name in the same folder
 */
export async function replaceFile(
  path: string,
  contents: Uint8Array | string,
  previous?: string,
): Promise<void> {
  const part = `${path}.${process.pid}.part`;
  await sweepParts(path);
  try {
    const file = await open(part, 'w');
    try {
      await file.writeFile(contents);
      await file.sync();
    } finally {
      await file.close();
    }
    if (previous !== undefined) await rename(path, join(dirname(path), previous)).catch(unlessMissing);
    await rename(part, path);
    await syncFolder(dirname(path));
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Deletes what processes left behind that were killed while they wrote this file. */
async function sweepParts(path: string): Promise<void> {
  const start = `${basename(path)}.`;
  const names = await readdir(dirname(path)).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(start)) continue;
    const [, pid] = /^(\d+)\.part$/.exec(name.slice(start.length)) ?? [];
    if (pid !== undefined && !isRunning(Number(pid)))
      await rm(join(dirname(path), name), { force: true }).catch(() => undefined);
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It may belong to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
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

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error;
}

/** The files of a folder on disk, whose names may be any. */
export class FolderStore implements FileStore {
  constructor(private readonly folder: string) {}

  /** Where a path of this store lies. None leads out of the folder. */
  private place(path: string): string {
    const inside = path.split('/').every((part) => !['', '.', '..'].includes(part) && !part.includes('\0'));
    assert(inside, `"${path}" is no path in a file store`);
    return join(this.folder, path);
  }

  async read(path: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.find(path, async (file) => new Uint8Array(await readFile(file)));
  }

  async write(path: string, bytes: Uint8Array, previous?: string): Promise<void> {
    await this.attempt(path, async (file) => {
      // The folder itself must exist.
      if (dirname(path) !== '.') await mkdir(dirname(file), { recursive: true });
      await replaceFile(file, bytes, previous);
    });
  }

  async remove(path: string): Promise<void> {
    await this.attempt(path, (file) => rm(file, { recursive: true, force: true }));
  }

  async list(path: string): Promise<string[]> {
    const found = await this.find(path || undefined, (file) =>
      readdir(file, { recursive: true, withFileTypes: true }),
    );
    return (found ?? [])
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.part'))
      .map(({ parentPath, name }) => relative(this.folder, join(parentPath, name)).replaceAll('\\', '/'))
      .sort();
  }

  async size(path: string): Promise<number> {
    const found = await this.find(path, (file) => stat(file));
    if (!found?.isDirectory()) return found?.size ?? 0;
    const sizes = await Promise.all((await this.list(path)).map((one) => this.size(one)));
    return sizes.reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Undefined if the file does not exist. */
  private find<T>(path: string | undefined, work: (file: string) => Promise<T>): Promise<T | undefined> {
    return this.attempt(path, (file) =>
      work(file).catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      }),
    );
  }

  /** @throws Failure `storage` with the system's message, which names the file */
  private async attempt<T>(path: string | undefined, work: (file: string) => Promise<T>): Promise<T> {
    const place = path === undefined ? this.folder : this.place(path);
    try {
      return await work(place);
    } catch (cause) {
      throw new Failure('storage', cause instanceof Error ? cause.message : String(cause), undefined, {
        cause,
      });
    }
  }
}
