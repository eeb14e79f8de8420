/** Where a path leads, and what is there. */
import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';

export interface FilePlace {
  /** Where all links lead: an absolute path. */
  path: string;
  /** Absent where there is nothing yet. */
  found?: BigIntStats;
  /** The open file of this process that the path stands for, such as 1 for /dev/stdout. */
  descriptor?: number;
}

/** As many links as Linux follows. */
const MAX_LINKS = 40;

/**
 * Follows the links of a path, also if nothing is at their end.
 * @throws Error with the reason if the path leads nowhere: its folder must exist
 */
export async function placeOf(path: string): Promise<FilePlace> {
  let next = path;
  for (let links = 0; links <= MAX_LINKS; links++) {
    const at = join(await folderOf(next), basename(next));
    const descriptor = descriptorOf(at);
    if (descriptor !== undefined) return { path: at, found: await stat(at, { bigint: true }), descriptor };
    const found = await lstat(at, { bigint: true }).catch(unlessMissing);
    if (!found?.isSymbolicLink()) {
      if (!found && /[/\\]$/.test(next)) throw new Error('it is a folder');
      return found ? { path: at, found } : { path: at };
    }
    const target = await readlink(at);
    // By the system's rules: in "link/..", the link is followed first.
    next = isAbsolute(target) ? target : `${dirname(at)}/${target}`;
  }
  throw new Error('ELOOP: too many symbolic links');
}

/** What is at a place, such as "a folder". */
export function kindOf({
  found,
  descriptor,
}: FilePlace): 'a file' | 'a folder' | 'a socket' | 'a pipe' | 'a device' {
  if (found?.isDirectory()) return 'a folder';
  // Standard output and standard error may be anything.
  if (descriptor === 1 || descriptor === 2) return 'a device';
  if (found?.isSocket()) return 'a socket';
  if (found?.isFIFO()) return 'a pipe';
  // A file that this process has open is written from where it stands, as a device is.
  return (found && !found.isFile()) || descriptor !== undefined ? 'a device' : 'a file';
}

/** Equal for places of one file, by whatever links, and also before it exists. */
export async function identityOf({ path, found }: FilePlace): Promise<string> {
  if (found) return `${found.dev}:${found.ino}`;
  const { dev, ino } = await stat(dirname(path), { bigint: true });
  return `${dev}:${ino}/${basename(path)}`;
}

/** The bytes of the longest name on most file systems. */
const LONGEST = 255;

/**
 * The path of a file that belongs to another one and lies beside it: the same with a suffix. Of a name that leaves less than
 * `room` for suffixes, only the beginning and a hash are in it.
 */
export function beside(path: string, suffix: string, room = suffix.length): string {
  const name = basename(path);
  if (Buffer.byteLength(name) + room <= LONGEST) return path + suffix;
  const hash = `~${createHash('sha256').update(name).digest('hex').slice(0, 16)}`;
  // Half a character at the end would take more bytes, not fewer.
  const start = Buffer.from(name).subarray(0, LONGEST - room - hash.length);
  return join(dirname(path), start.toString().replace(/\uFFFD+$/, '') + hash + suffix);
}

/** The folder of a file, with all links followed. */
async function folderOf(path: string): Promise<string> {
  const folder = dirname(path);
  try {
    const found = await realpath(folder);
    if ((await stat(found)).isDirectory()) return found;
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
  throw new Error(`there is no folder ${folder}`);
}

/** /dev/fd is a link to the other on Linux. */
function descriptorOf(path: string): number | undefined {
  const [, process_, number] = /^\/(?:dev|proc\/(\d+)(?:\/task\/\d+)?)\/fd\/(\d+)$/.exec(path) ?? [];
  return number !== undefined && [undefined, String(process.pid)].includes(process_)
    ? Number(number)
    : undefined;
}

export const isMissing = (error: unknown): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';

export function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
