import { writeFile as writeDescriptor, constants } from 'node:fs';
import { access, mkdir, open, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { assert } from '../base/assert.ts';
import { Failure } from '../base/result.ts';
import type { FileStore } from '../storage/file-store.ts';
import { OWNER, runs } from './owner.ts';
import { beside, isMissing, kindOf, placeOf, unlessMissing, type FilePlace } from './place.ts';
import { readBytes } from './read.ts';

interface Replacement {
  /** The old file, if there is one, is renamed to this name in the same folder. */
  previous?: string | undefined;
  /** Devices and pipes are written to; otherwise they are refused, as what is to be read again. */
  streams?: boolean;
}

/**
 * Writes a file; everything that is written on this machine is written here. Links are followed. What is written is a
 * temporary file beside the target, which is flushed to disk and then renamed: readers, and a crash, see the old file or
 * the new one, never a part. The file's mode stays. Processes that write at the same time do not interfere.
 * @throws the system's error, or one with the reason
 */
export async function replaceFile(
  path: string,
  contents: Uint8Array | string,
  { previous, streams = false }: Replacement = {},
): Promise<void> {
  const place = await placeOf(path);
  const refused = refusalOf(place, streams);
  if (refused !== undefined) throw new Error(`${place.path}: ${refused}`);
  if (isStream(place)) return writeStream(place, contents);
  const { path: target, found } = place;
  const mode = found && Number(found.mode) & 0o777;
  const part = partOf(target);
  await sweepParts(target);
  try {
    const file = await makeNew(part, () => open(part, 'wx', mode));
    try {
      if (found) {
        // Only root can give a file away, and need do so.
        await file.chown(Number(found.uid), Number(found.gid)).catch(() => undefined);
        await file.chmod(Number(mode));
      }
      await file.writeFile(contents);
      await file.sync();
    } finally {
      await file.close();
    }
    if (previous !== undefined) await rename(target, join(dirname(target), previous)).catch(unlessMissing);
    await rename(part, target);
    await syncFolder(dirname(target));
  } catch (error) {
    await rm(part, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** Makes a file that must not exist: a link that somebody put in its place is deleted, never followed. */
async function makeNew<T>(path: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    await unlink(path);
    return make();
  }
}

/**
 * Writes a file that a person named, by `replaceFile`, or a device or pipe.
 * @throws Failure `storage` naming the file
 */
export async function writeOutput(path: string, contents: Uint8Array | string): Promise<void> {
  try {
    await replaceFile(path, contents, { streams: true });
  } catch (cause) {
    throw new Failure('storage', `${path} could not be written: ${(cause as Error).message}`, undefined, {
      cause,
    });
  }
}

/**
 * Makes a folder, and those that it lies in.
 * @param name what it is to the user, such as "--out"
 * @throws Failure `bad-input` with the reason, such as a file of that name
 */
export async function makeFolder(name: string, path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (cause) {
    throw new Failure(
      'bad-input',
      `${name}: the folder ${path} cannot be made: ${(cause as Error).message}`,
      'Choose another path.',
      { cause },
    );
  }
}

/** A device or pipe: nothing can lie beside it. */
export const isStream = (place: FilePlace): boolean => ['a device', 'a pipe'].includes(kindOf(place));

/** Why nothing can be written at a place, if so. */
function refusalOf(place: FilePlace, streams: boolean): string | undefined {
  const kind = kindOf(place);
  if (kind === 'a file' || (streams && isStream(place))) return undefined;
  return `it is ${kind}${isStream(place) ? ', which cannot be replaced and read again' : ''}`;
}

/** Writes to a device or pipe, or to what this process has open, after what it has written there. */
async function writeStream(
  { path, found, descriptor }: FilePlace,
  contents: Uint8Array | string,
): Promise<void> {
  const stream = descriptor === 1 ? process.stdout : descriptor === 2 ? process.stderr : undefined;
  if (stream) await promisify((done: (error?: Error | null) => void) => stream.write(contents, done))();
  else if (descriptor !== undefined && found?.isFile())
    await promisify(writeDescriptor)(descriptor, contents);
  // If the device is gone by now, no file takes its place.
  else await writeFile(path, contents, { flag: constants.O_WRONLY });
}

/** How `requireWritable` checks a file. */
export interface WritableRules {
  /** It is replaced, and read again, so it can be no device or pipe. */
  kept?: boolean;
  /** Not even the folder need exist yet, and the file may be one that can only be read. */
  untried?: boolean;
}

/**
 * Checks, before the work whose result it will hold, that a file can be written, and deletes what processes left behind that
 * were killed while they wrote it.
 * @param name what the file is to the user, such as "--save"
 * @returns where it is; undefined if its folder does not exist yet
 * @throws Failure `bad-input` with the reason
 */
export async function requireWritable(
  name: string,
  path: string,
  { kept = false, untried = false }: WritableRules = {},
): Promise<FilePlace | undefined> {
  const refuse = (reason: string, advice = 'Choose another path.') =>
    new Failure('bad-input', `${name}: ${path} cannot be written: ${reason}`, advice);
  let place: FilePlace | undefined;
  try {
    place = await placeOf(path);
    const refused =
      refusalOf(place, !kept) ?? (isPart(place.path) ? 'names of unfinished files end like this' : undefined);
    if (refused === undefined && !untried) await tryToWrite(place);
    if (refused === undefined) return place;
    throw refuse(refused, refused === 'it is a folder' ? 'Give the path of a file.' : undefined);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const { message } = error as Error;
    const noFolder = place === undefined && message.startsWith('there is no folder');
    if (noFolder && untried) return undefined;
    throw refuse(message, noFolder ? 'Create it, or choose another path.' : undefined);
  }
}

async function tryToWrite(place: FilePlace): Promise<void> {
  const { path, found, descriptor } = place;
  if (descriptor !== undefined) return;
  if (found) await access(path, constants.W_OK);
  if (isStream(place)) return;
  await sweepParts(path);
  const trial = partOf(path);
  await makeNew(trial, () => writeFile(trial, '', { flag: 'wx' }));
  await rm(trial);
}

/** The bytes that names of parts have for more than the file's. */
const ROOM = 80;

/** What this process writes before it becomes `path`. */
const partOf = (path: string): string => beside(path, `.${OWNER}.part`, ROOM);

/** Whether a file is such a part, by its name. */
const isPart = (path: string): boolean => /\.\d[^.]*\.part$/.test(path);

/** Deletes what processes of this machine left behind that were killed while they wrote this file. */
export async function sweepParts(path: string): Promise<void> {
  const start = basename(beside(path, '.', ROOM));
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
    return this.find(path, async (file) => (await readBytes(file)).subarray(start, end));
  }

  async write(path: string, bytes: Uint8Array, previous?: string): Promise<void> {
    await this.attempt(path, async (file) => {
      // The folder itself must exist.
      if (dirname(path) !== '.') await mkdir(dirname(file), { recursive: true });
      await replaceFile(file, bytes, { previous });
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
        if (isMissing(error instanceof Failure ? error.cause : error)) return undefined;
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
      if (cause instanceof Failure) throw cause;
      throw new Failure('storage', cause instanceof Error ? cause.message : String(cause), undefined, {
        cause,
      });
    }
  }
}
