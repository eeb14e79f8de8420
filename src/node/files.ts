import { constants } from 'node:fs';
import {
  access,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { assert } from '../base/assert.ts';
import { Failure } from '../base/result.ts';
import type { FileStore } from '../storage/file-store.ts';
import { OWNER, runs } from './owner.ts';

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
  const part = partOf(path);
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

/**
 * Writes a file that a person named. A link is followed, and what is not a plain file, such as /dev/null or a pipe, is written
 * to; any other file is replaced whole.
 * @throws Failure `storage` naming the file
 */
export async function writeOutput(path: string, contents: Uint8Array | string): Promise<void> {
  try {
    const target = await realpath(path).catch(() => path);
    if (await isPlain(target)) await replaceFile(target, contents);
    else await writeFile(target, contents);
  } catch (cause) {
    throw new Failure('storage', `${path} could not be written: ${(cause as Error).message}`, undefined, {
      cause,
    });
  }
}

/**
 * Checks, before the work whose result it will hold, that a file can be written, and deletes what processes left behind that
 * were killed while they wrote it.
 * @param name what the file is to the user, such as "--save"
 * @throws Failure `bad-input` with the reason
 */
export async function requireWritable(name: string, path: string): Promise<void> {
  const refuse = (reason: string, advice: string) =>
    new Failure('bad-input', `${name}: ${path} cannot be written: ${reason}`, advice);
  const target = await realpath(path).catch(() => path);
  const folder = dirname(target);
  const found = await stat(folder).catch(() => undefined);
  if (!found?.isDirectory())
    throw refuse(`there is no folder ${folder}`, 'Create it, or choose another path.');
  if ((await stat(target).catch(() => undefined))?.isDirectory())
    throw refuse('it is a folder', 'Give the path of a file.');
  try {
    if (!(await isPlain(target))) return await access(target, constants.W_OK);
    await sweepParts(target);
    const trial = partOf(target);
    await writeFile(trial, '');
    await rm(trial);
  } catch (error) {
    throw refuse((error as Error).message, 'Choose another path.');
  }
}

/** True for a plain file, and where there is nothing yet. */
async function isPlain(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  return found?.isFile() ?? true;
}

/** What this process writes before it becomes `path`. */
const partOf = (path: string): string => `${path}.${OWNER}.part`;

/** Deletes what processes of this machine left behind that were killed while they wrote this file. */
export async function sweepParts(path: string): Promise<void> {
  const start = `${basename(path)}.`;
  const names = await readdir(dirname(path)).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(start) || !name.endsWith('.part')) continue;
    if (runs(name.slice(start.length, -'.part'.length)) === false)
      await rm(join(dirname(path), name), { force: true }).catch(() => undefined);
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

  async read(path: string, start?: number, end?: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return this.find(path, async (file) => {
      const { buffer, byteOffset, byteLength } = await readFile(file);
      return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength).subarray(start, end);
    });
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
