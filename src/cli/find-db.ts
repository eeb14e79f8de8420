/** The find-db of the command line: a file in the user's cache folder. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { Failure } from '../base/result.ts';
import { FindDb, placeOf, type Known, type Place } from '../engine/ops/conv/choice/db.ts';
import type { Found } from '../engine/ops/conv/choice/types.ts';
import type { Device } from '../gpu/device.ts';
import { optional, text } from './arguments.ts';

export const findDbOption = optional(text('FILE', `what searches found (default ${defaultFile()})`));

/** The file's path where none is given: in the user's cache folder, as each system has it. */
export function defaultFile(): string {
  const { env, platform } = process;
  const folder =
    platform === 'win32'
      ? (env['LOCALAPPDATA'] ?? join(homedir(), 'AppData/Local'))
      : platform === 'darwin'
        ? join(homedir(), 'Library/Caches')
        : (env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'));
  return join(folder, 'wgrad/find-db.json');
}

/** Which Dawn measures. */
function runtimeName(): string {
  const { version } = createRequire(import.meta.url)('webgpu/package.json') as { version: string };
  return `Node, webgpu ${version}`;
}

export class FindDbFile {
  private constructor(
    private readonly path: string,
    private readonly db: FindDb,
    private readonly runtime: string,
  ) {}

  /**
   * @param path default: in the user's cache folder
   * @throws Failure `bad-file` if it is there and is something else
   */
  static async open(path = defaultFile()): Promise<FindDbFile> {
    return new FindDbFile(path, await read(path), runtimeName());
  }

  placeOf(device: Device): Place {
    return placeOf(device, this.runtime);
  }

  /** What is known on a device. */
  known(device: Device): Known {
    return this.db.at(this.placeOf(device));
  }

  /** Keeps what was found; what other processes wrote meanwhile stays. */
  async record(device: Device, found: Found): Promise<void> {
    const entry = this.db.record(this.placeOf(device), found);
    const { path } = this;
    const current = await read(path);
    current.merge([entry]);
    this.db.merge(current.entries);
    const part = `${path}.${process.pid}.part`;
    try {
      await mkdir(dirname(path), { recursive: true });
      // Never half a file under its name.
      await writeFile(part, current.toText());
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true }).catch(() => undefined);
      throw new Failure('storage', `${path} could not be written: ${(error as Error).message}`);
    }
  }
}

async function read(path: string): Promise<FindDb> {
  let contents: string;
  try {
    contents = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return new FindDb();
    throw new Failure('bad-file', `${path} could not be read: ${(error as Error).message}`);
  }
  return FindDb.parse(path, contents);
}
