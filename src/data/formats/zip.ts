/**
 * zip archives, by their central directory (APPNOTE 6.3.10, https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT):
 * for imported folders. Files are unpacked one at a time, on request, and checked by their CRC. Archive bombs are
 * refused before anything is unpacked: paths that lead out of the folder, files that share their bytes, and unpacked
 * sizes that the packed bytes cannot contain.
 */
import { ByteReader } from '../../base/bytes.ts';
import { Failure } from '../../base/result.ts';
import { plainPath } from './path.ts';
import { MAX_RATIO, unpack } from './unpack.ts';

export interface ZipFile {
  /** Plain names with "/" between them. */
  path: string;
  /** The unpacked size that the archive claims. */
  bytes: number;
  /** @throws Failure `bad-file` if it is damaged or contradicts the archive's directory */
  read(): Promise<Uint8Array>;
}

export interface ZipLimits {
  /** Files in the archive. */
  files: number;
  /** The total unpacked size. */
  bytes: number;
}

const END = 0x06054b50;
const END_BYTES = 22;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
/** A comment may follow the end record. */
const MAX_COMMENT = 0xffff;
/** Numbers of all ones are stored elsewhere: of the whole archive before its end, of a file in an extra field (4.3.14 to 4.5.3). */
const ZIP64 = { end: 0x06064b50, locator: 0x07064b50, locatorBytes: 20, extra: 1, elsewhere: 0xffffffff };

export const isZip = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 && [LOCAL, END].includes(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true));

/**
 * The files of an archive, in its order, without folders.
 * @param name the archive's name, for messages
 * @throws Failure `bad-file` with the byte offset of what is wrong, `unsupported` for encrypted archives
 */
export function readZip(name: string, bytes: Uint8Array, limits: ZipLimits): ZipFile[] {
  const archive = new ByteReader(name, bytes);
  const { count, directory } = findDirectory(archive);
  if (count > limits.files) {
    throw archive.bad(`expected at most ${limits.files} files, found ${count}`, directory.at);
  }
  const entries: Entry[] = [];
  const end = directory.at + directory.bytes;
  archive.offset = directory.at;
  for (let i = 0; i < count; i++) entries.push(readEntry(archive, end));
  const total = entries.reduce((sum, { unpacked }) => sum + unpacked, 0);
  if (total > limits.bytes) {
    throw archive.bad(
      `expected at most ${limits.bytes} bytes unpacked, but the archive says ${total}`,
      directory.at,
    );
  }
  refuseShared(archive, entries, directory.at);
  return entries
    .filter(({ path }) => !path.endsWith('/'))
    .map((entry) => ({ path: entry.path, bytes: entry.unpacked, read: () => readContent(archive, entry) }));
}

interface Entry {
  /** The offset of its entry in the directory. */
  at: number;
  path: string;
  method: number;
  crc: number;
  packed: number;
  unpacked: number;
  /** The offset of its local header. */
  local: number;
}

function findDirectory(archive: ByteReader): { count: number; directory: { at: number; bytes: number } } {
  const { bytes } = archive;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const first = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT);
  for (let at = bytes.length - END_BYTES; at >= first; at--) {
    if (view.getUint32(at, true) !== END) continue;
    // The comment's length must lead to the end; otherwise this is part of a comment.
    if (view.getUint16(at + 20, true) !== bytes.length - at - END_BYTES) continue;
    const [disk, count, total] = [4, 8, 10].map((offset) => view.getUint16(at + offset, true));
    const [length, start] = [12, 16].map((offset) => view.getUint32(at + offset, true));
    const told = wide(archive, at) ?? { disk, count, total, length, start };
    if (told.disk !== 0 || told.count !== told.total)
      throw archive.bad('expected an archive in one part', at + 4);
    if (told.start + told.length > at) {
      throw archive.bad(
        `expected the directory before its end, found ${told.length} bytes of it from ${told.start} on`,
        at + 12,
      );
    }
    return { count: told.count, directory: { at: told.start, bytes: told.length } };
  }
  throw archive.bad('expected a zip archive: its end is missing, so it may be cut off', bytes.length);
}

/** What zip64 says of the directory; undefined for other archives. @param at the archive's end */
function wide({ name, bytes }: ByteReader, at: number) {
  const archive = new ByteReader(name, bytes);
  archive.offset = at - ZIP64.locatorBytes;
  if (archive.offset < 0 || archive.u32le('a locator') !== ZIP64.locator) return undefined;
  archive.take(4, 'a disk');
  archive.offset = Math.min(archive.u64le('an offset'), bytes.length);
  const from = archive.offset;
  if (archive.u32le('the end of a zip64 archive') !== ZIP64.end)
    throw archive.bad('expected the end of a zip64 archive', from);
  archive.take(12, 'a size and versions');
  const disk = archive.u32le('a disk');
  archive.take(4, 'a disk');
  const [count, total, length, start] = ['a count', 'a count', 'a size', 'an offset'].map((what) =>
    archive.u64le(what),
  );
  return { disk, count, total, length, start };
}

function readEntry(archive: ByteReader, end: number): Entry {
  const at = archive.offset;
  if (archive.u32le("a file's entry in the directory") !== ENTRY || at >= end) {
    throw archive.bad('expected the entry of a file in the directory of a zip archive', at);
  }
  archive.take(4, 'versions');
  const flags = archive.u16le('flags');
  const method = archive.u16le('the method');
  archive.take(4, 'a time');
  const crc = archive.u32le('a checksum');
  const sizes = ['a packed size', 'a size'].map((what) => archive.u32le(what));
  const [nameBytes, extraBytes, commentBytes] = ['a name', 'an extra field', 'a comment'].map((what) =>
    archive.u16le(`the length of ${what}`),
  );
  archive.take(8, 'attributes');
  const offset = archive.u32le('an offset');
  const path = pathOf(archive, archive.take(nameBytes, 'a name'), at);
  const extra = new ByteReader(archive.name, archive.take(extraBytes, 'an extra field'));
  archive.take(commentBytes, 'a comment');
  // In this order, which is not that of the directory.
  const [unpacked, packed, local] = widened(extra, [sizes[1], sizes[0], offset], () =>
    archive.bad(`expected the sizes of ${path} in its extra field`, at),
  );
  if ((flags & 1) !== 0) {
    throw new Failure(
      'unsupported',
      `${archive.name}: ${path} is encrypted`,
      'Pack the images without a password.',
    );
  }
  if (unpacked > packed * MAX_RATIO) {
    throw archive.bad(
      `${path}: the archive says it holds ${unpacked} bytes unpacked, more than ${packed} can`,
      at,
    );
  }
  return { at, path, method, crc, packed, unpacked, local };
}

/** Numbers with those that an extra field has instead of them. */
function widened(extra: ByteReader, values: readonly number[], missing: () => Failure): number[] {
  if (!values.includes(ZIP64.elsewhere)) return [...values];
  while (extra.remaining >= 4) {
    const id = extra.u16le('a field');
    const bytes = extra.take(Math.min(extra.u16le('a length'), extra.remaining), 'a field');
    if (id !== ZIP64.extra) continue;
    const field = new ByteReader(extra.name, bytes);
    return values.map((value) => {
      if (value !== ZIP64.elsewhere) return value;
      if (field.remaining < 8) throw missing();
      return field.u64le('a size');
    });
  }
  throw missing();
}

function pathOf(archive: ByteReader, bytes: Uint8Array, at: number): string {
  // Older archives have another encoding, which differs only for non-ASCII letters.
  const path = new TextDecoder().decode(bytes);
  const plain = plainPath(path);
  if (plain !== undefined) return plain;
  throw archive.bad(
    `expected plain names of files and folders, found ${JSON.stringify(path.slice(0, 200))}`,
    at,
  );
}

/** Files that share bytes turn a small archive into a huge folder (https://www.bamsoftware.com/hacks/zipbomb/). */
function refuseShared(archive: ByteReader, entries: readonly Entry[], directoryAt: number): void {
  let free = 0;
  for (const { local, packed, path, at } of entries.toSorted((a, b) => a.local - b.local)) {
    if (local < free) throw archive.bad(`${path} shares bytes with another file of the archive`, at);
    free = local + LOCAL_BYTES + packed;
    if (free > directoryAt) throw archive.bad(`${path} lies outside of the archive's files`, at);
  }
}

async function readContent({ name, bytes }: ByteReader, entry: Entry): Promise<Uint8Array> {
  const archive = new ByteReader(name, bytes);
  archive.offset = entry.local;
  if (archive.u32le("a file's header") !== LOCAL) {
    throw archive.bad(`expected the header of ${entry.path}`, entry.local);
  }
  archive.take(LOCAL_BYTES - 8, 'a header');
  const skipped = archive.u16le('the length of a name') + archive.u16le('the length of an extra field');
  archive.take(skipped, 'a name and an extra field');
  const start = archive.offset;
  const packed = archive.take(entry.packed, `the content of ${entry.path}`);
  const content = await contentOf(archive, entry, packed, start);
  const found = crc32(content);
  if (found !== entry.crc) {
    const [expected, actual] = [entry.crc, found].map((crc) => crc.toString(16).padStart(8, '0'));
    throw archive.bad(`${entry.path} is damaged: expected the checksum ${expected}, found ${actual}`, start);
  }
  return content;
}

function contentOf(
  archive: ByteReader,
  { path, method, unpacked, at }: Entry,
  packed: Uint8Array,
  start: number,
): Uint8Array | Promise<Uint8Array> {
  if (method === 8) return unpack('deflate-raw', packed, unpacked, archive, { start, lengthAt: at });
  if (method !== 0) {
    throw archive.bad(`${path}: expected method 0 (stored) or 8 (deflate), found ${method}`, at);
  }
  if (packed.length === unpacked) return packed;
  throw archive.bad(
    `${path}: the archive says that ${packed.length} stored bytes are ${unpacked} unpacked`,
    at,
  );
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  return crc;
});

/** The CRC of zip, gzip and PNG. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ CRC_TABLE[(crc ^ byte) & 0xff];
  return ~crc >>> 0;
}
