/**
 * gzip (RFC 1952), unpacked by the platform's DecompressionStream. The platform checks the compressed data and its CRC;
 * this adds a limit on the output, and the same behaviour everywhere for bytes after the end, which browsers refuse and
 * Node partly accepts.
 */
import { ByteReader } from '../../base/bytes.ts';
import { assert } from '../../base/assert.ts';
import { MAX_RATIO, unpack } from './unpack.ts';

const HEADER_BYTES = 10;
const TRAILER_BYTES = 8;
const RESERVED_FLAGS = 0xe0;

export const isGzip = (bytes: Uint8Array): boolean =>
  bytes.length >= 2 && bytes[0] === 0x1f && bytes[1] === 0x8b;

/**
 * Unpacks a gzip file of one member.
 * @param name the file's name, for messages
 * @param maxBytes the longest valid output; a file that claims more is refused unread, and one that is longer than it
 *   claims is dropped at that point
 * @throws Failure `bad-file` if it is truncated, corrupt, too long or followed by other bytes
 */
export async function gunzip(
  name: string,
  bytes: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  assert(maxBytes < 2 ** 32, 'gzip keeps lengths as 32-bit numbers');
  const file = new ByteReader(name, bytes);
  if (file.u8('the magic number') !== 0x1f || file.u8('the magic number') !== 0x8b) {
    throw file.bad('expected a gzip file, which starts with the bytes 1f 8b', 0);
  }
  const method = file.u8('the compression method');
  if (method !== 8) throw file.bad(`expected compression method 8 (deflate), found ${method}`, 2);
  const flags = file.u8('the flags');
  if ((flags & RESERVED_FLAGS) !== 0)
    throw file.bad(`expected the reserved flags to be 0, found flags ${flags}`, 3);
  file.take(HEADER_BYTES - file.offset, 'the header');
  if (file.remaining < TRAILER_BYTES)
    throw file.bad('the file ends before its compressed data', bytes.length);

  const lengthAt = bytes.length - 4;
  const length = new DataView(bytes.buffer, bytes.byteOffset + lengthAt, 4).getUint32(0, true);
  const impossible = length > maxBytes || length > bytes.length * MAX_RATIO;
  // The last bytes of a part of a file are any.
  if (impossible && (await isPart(bytes, maxBytes)))
    throw file.bad('the file is cut short or damaged: get it again', bytes.length);
  if (length > maxBytes) {
    throw file.bad(`expected at most ${maxBytes} bytes unpacked, but the file says ${length}`, lengthAt);
  }
  if (length > bytes.length * MAX_RATIO) {
    throw file.bad(
      `the file says it holds ${length} bytes unpacked, more than ${bytes.length} bytes can`,
      lengthAt,
    );
  }

  return unpack('gzip', bytes, length, file, { start: 0, lengthAt });
}

/** Whether the compressed data breaks off within the first `maxBytes` unpacked bytes. */
async function isPart(bytes: Uint8Array, maxBytes: number): Promise<boolean> {
  const stream = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  const reader = stream.pipeThrough(new DecompressionStream('gzip')).getReader();
  try {
    for (let unpacked = 0; unpacked <= maxBytes;) {
      const { done, value } = await reader.read();
      if (done) return false;
      unpacked += value.length;
    }
    await reader.cancel();
    return false;
  } catch {
    return true;
  }
}

/** Unpacks a gzip file; any other file is returned unchanged. @see gunzip */
export const gunzipIfNeeded = async (
  name: string,
  bytes: Uint8Array,
  maxBytes: number,
): Promise<Uint8Array> => (isGzip(bytes) ? gunzip(name, bytes, maxBytes) : bytes);
