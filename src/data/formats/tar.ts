/**
 * tar archives (POSIX ustar, and GNU's like it): each file is a header of 512 bytes and its content, padded to a
 * multiple of 512; zeros end the archive. https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html Only
 * plain files are read, with long names by ustar, pax or GNU. Folders and links are skipped.
 */
import { ByteReader } from '../../base/bytes.ts';

export interface TarFile {
  /** With its folders, as in the archive: do not trust it as a path. */
  name: string;
  /** A view into the archive. */
  data: Uint8Array;
}

const BLOCK = 512;
const CHECKSUM_AT = 148;
const CHECKSUM_BYTES = 8;

/** True if the bytes start with a header that has a valid checksum. */
export const looksLikeTar = (bytes: Uint8Array): boolean =>
  bytes.length >= BLOCK && !isZero(bytes.subarray(0, BLOCK)) && hasChecksum(bytes.subarray(0, BLOCK));

/**
 * The plain files of an archive, in its order.
 * @param name the archive's name, for messages
 * @throws Failure `bad-file` with the byte offset of what is wrong
 */
export function readTar(name: string, bytes: Uint8Array): TarFile[] {
  const archive = new ByteReader(name, bytes);
  const files: TarFile[] = [];
  /** Of the next file, if it has more than 100 bytes. */
  let longName: string | undefined;
  for (;;) {
    const at = archive.offset;
    const header = archive.take(BLOCK, 'a header, or of the zeros that end a tar archive');
    if (isZero(header)) return files;
    if (!hasChecksum(header)) throw archive.bad('expected the header of a file in a tar archive', at);
    const size = octal(header.subarray(124, 136));
    if (size === undefined) throw archive.bad('expected the size of a file as an octal number', at + 124);
    const data = archive.take(size, 'a file in the archive');
    archive.take((BLOCK - (size % BLOCK)) % BLOCK, 'padding after a file in the archive');
    const type = header[156];
    if (type === GNU_LONG_NAME) longName = text(data);
    else if (type === PAX) longName = paxPath(data) ?? longName;
    else {
      // The oldest archives have a zero byte here.
      if (type === 0 || type === 0x30) files.push({ name: longName ?? shortName(header), data });
      longName = undefined;
    }
  }
}

const [GNU_LONG_NAME, PAX] = [0x4c, 0x78];
const USTAR = 'ustar';

/** In two fields, of which older formats have one. */
function shortName(header: Uint8Array): string {
  const name = text(header.subarray(0, 100));
  const prefix = text(header.subarray(257, 263)) === USTAR ? text(header.subarray(345, 500)) : '';
  return prefix === '' ? name : `${prefix}/${name}`;
}

/** The path in a pax header: lines of a length, a key and a value, "30 mtime=1700000000.5". */
function paxPath(data: Uint8Array): string | undefined {
  let at = 0;
  while (at < data.length) {
    const found = /^(\d{1,9}) ([^=]*)=/.exec(text(data.subarray(at, at + 300)));
    const length = Number(found?.[1] ?? 0);
    if (!found || length <= found[0].length) return undefined;
    if (found[2] === 'path') return text(data.subarray(at + found[0].length, at + length - 1));
    at += length;
  }
  return undefined;
}

const isZero = (block: Uint8Array): boolean => block.every((byte) => byte === 0);

/** The header's checksum is the sum of its bytes, with spaces for the checksum. */
function hasChecksum(header: Uint8Array): boolean {
  const end = CHECKSUM_AT + CHECKSUM_BYTES;
  let sum = CHECKSUM_BYTES * 0x20;
  for (let i = 0; i < BLOCK; i++) if (i < CHECKSUM_AT || i >= end) sum += header[i];
  return octal(header.subarray(CHECKSUM_AT, end)) === sum;
}

/** A number in octal digits, with spaces before and a zero or spaces after. */
function octal(field: Uint8Array): number | undefined {
  const digits = /^ *([0-7]+) *$/.exec(text(field))?.[1];
  return digits === undefined ? undefined : parseInt(digits, 8);
}

/** Up to the first zero byte. */
function text(field: Uint8Array): string {
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
}
