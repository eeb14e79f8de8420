/** Snappy's raw format: https://github.com/google/snappy/blob/main/format_description.txt */
import { ByteReader } from '../../base/bytes.ts';
import { varint } from './thrift.ts';

/** The most bytes that a packed one can hold: a copy of 64 bytes has three. */
const MAX_RATIO = 22;

/**
 * @param name the file's name, for messages
 * @param length the expected number of unpacked bytes
 * @throws Failure `bad-file` if the data is damaged or its length differs
 */
export function unsnap(name: string, packed: Uint8Array, length: number): Uint8Array {
  const file = new ByteReader(name, packed);
  if (varint(file) !== length || length > packed.length * MAX_RATIO)
    throw file.bad(`expected ${length} bytes in ${packed.length} packed ones`, 0);
  const output = new Uint8Array(length);
  let at = 0;
  while (file.remaining > 0) {
    const tag = file.u8('a tag');
    const kind = tag & 3;
    // Of a literal, and of copies with their distances in one, two and four bytes.
    const size =
      kind === 1 ? 4 + ((tag >> 2) & 7) : kind === 0 ? literalLength(file, tag >> 2) : (tag >> 2) + 1;
    if (size > length - at) throw file.bad(`expected ${length} bytes unpacked, found more`);
    if (kind === 0) output.set(file.take(size, 'bytes'), at);
    else {
      const distance =
        kind === 1 ? ((tag >> 5) << 8) | file.u8('a distance') : little(file, kind === 2 ? 2 : 4);
      if (distance === 0 || distance > at)
        throw file.bad(`expected a distance of at most ${at}, found ${distance}`);
      // What is copied may be part of the copy.
      for (let i = at; i < at + size; i++) output[i] = output[i - distance];
    }
    at += size;
  }
  if (at !== length) throw file.bad(`expected ${length} bytes unpacked, found ${at}`);
  return output;
}

/** Short lengths are in the tag; of longer ones, the tag has the number of bytes. */
const literalLength = (file: ByteReader, inTag: number): number =>
  (inTag < 60 ? inTag : little(file, inTag - 59)) + 1;

function little(file: ByteReader, bytes: number): number {
  return file.take(bytes, 'a length').reduce((sum, byte, i) => sum + byte * 256 ** i, 0);
}
