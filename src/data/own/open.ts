/** The files that a person gives, with those in archives: zip, tar and gzip, recognised by their content. */
import { Failure } from '../../base/result.ts';
import { pictureKind } from '../../base/picture.ts';
import { gunzip, isGzip } from '../formats/gzip.ts';
import { plainPath, shownName } from '../formats/path.ts';
import { looksLikeTar, readTar } from '../formats/tar.ts';
import { isZip, readZip } from '../formats/zip.ts';

/** A file with its path from the chosen folder. */
export interface Located {
  /** Names with "/" between them. */
  path: string;
}

export interface OwnFile extends Located {
  bytes: number;
  /**
   * @param most only so many bytes from its beginning, if less is faster to read
   * @throws Failure for files that cannot be read; they are skipped
   */
  read(most?: number): Promise<Uint8Array>;
}

/** The most files at once, with those in archives, and their total unpacked size, which must fit into a page's memory. */
const MAX_FILES = 400_000;
const MAX_BYTES = 2 ** 32;
/** The largest archive, and the largest unpacked one, that a page can hold in memory. */
const LARGEST_ARCHIVE = 2 ** 31 - 1;
/** Archives in archives, as Kaggle has them. */
const MAX_DEPTH = 3;
/** Where tar has its checksum. */
const HEAD = 512;

/** Files named like pictures are not looked into: there may be very many. */
const NAMED_PICTURE = /\.(png|jpe?g|jpe|jfif|webp|gif|bmp|avif|tiff?|hei[cf]|svg|tga|p[bgnp]m)$/i;
/** Files that operating systems leave in folders, which nobody misses. */
const LEFT_BEHIND = /(^|\/)(\.|__MACOSX(\/|$)|Thumbs\.db$|desktop\.ini$)/i;

export const isNamedPicture = ({ path }: Located): boolean => NAMED_PICTURE.test(path);

/** What is left of the limits. */
interface Room {
  files: number;
  bytes: number;
}

/**
 * All files, those in archives too, each in a folder of its archive's name. Files of operating systems are left out. Names are
 * as people see them: Unicode has several forms of some letters, and systems that pack archives differ in them.
 * @param skip called with an archive that cannot be opened
 * @param depth how many archives within one another are opened
 * @throws what `skip` throws
 */
export async function openFiles(
  files: readonly OwnFile[],
  skip: (path: string, error: unknown) => void,
  depth = MAX_DEPTH,
  room: Room = { files: MAX_FILES, bytes: MAX_BYTES },
): Promise<OwnFile[]> {
  const all: OwnFile[] = [];
  for (const file of files) {
    if (LEFT_BEHIND.test(file.path)) continue;
    let inside: OwnFile[] | undefined;
    try {
      inside = depth === 0 || isNamedPicture(file) ? undefined : await contentsOf(file, room);
    } catch (error) {
      skip(file.path, error);
      continue;
    }
    if (inside) for (const one of await openFiles(inside, skip, depth - 1, room)) all.push(one);
    else all.push({ ...file, path: shownName(file.path) });
  }
  return all;
}

/** The files of an archive; undefined for other files. */
async function contentsOf(file: OwnFile, room: Room): Promise<OwnFile[] | undefined> {
  const { path } = file;
  const head = await file.read(HEAD);
  if (/\.zip$/i.test(path) && !isZip(head)) throw new Failure('bad-file', `${path} is not a zip archive`);
  const isPacked = isGzip(head);
  if (!isPacked && !isZip(head) && !looksLikeTar(head)) return undefined;
  if (file.bytes > LARGEST_ARCHIVE)
    throw new Failure(
      'unsupported',
      `${path} has ${file.bytes} bytes; at most ${LARGEST_ARCHIVE} are read`,
      'Extract it, and give the folder.',
    );
  const given = await file.read();
  if (isZip(given)) {
    const found = readZip(path, given, room);
    take(path, room, found);
    const folder = withoutEnding(path, /\.(zip|npz)$/i);
    return found.map((one) => ({ ...one, path: `${folder}/${one.path}` }));
  }
  const bytes = isPacked ? await gunzip(path, given, Math.min(LARGEST_ARCHIVE, room.bytes)) : given;
  const folder = withoutEnding(path, /(\.tar)?\.gz$|\.tgz$|\.tar$/i);
  if (!looksLikeTar(bytes)) {
    take(path, room, [{ bytes: bytes.length }]);
    return [{ path: folder, bytes: bytes.length, read: () => Promise.resolve(bytes) }];
  }
  const found = readTar(path, bytes).map(({ name, data }) => {
    const plain = plainPath(name);
    if (plain === undefined)
      throw new Failure(
        'bad-file',
        `${path}: expected plain names of files and folders, found ${JSON.stringify(name.slice(0, 200))}`,
      );
    return { path: `${folder}/${plain}`, bytes: data.length, read: () => Promise.resolve(data) };
  });
  take(path, room, found);
  return found;
}

function take(path: string, room: Room, found: readonly { bytes: number }[]): void {
  room.files -= found.length;
  room.bytes -= found.reduce((sum, { bytes }) => sum + bytes, 0);
  if (room.files < 0 || room.bytes < 0)
    throw new Failure(
      'bad-file',
      `${path}: expected at most ${MAX_FILES} files and ${MAX_BYTES} bytes in all archives, found more`,
    );
}

/** The archive's name without its ending; another name stays, for messages. */
const withoutEnding = (path: string, ending: RegExp): string => path.replace(ending, '');

/** Whether a file is a picture by its name or content. */
export async function isPicture(file: OwnFile): Promise<boolean> {
  return isNamedPicture(file) || pictureKind(await file.read(HEAD)) !== undefined;
}
