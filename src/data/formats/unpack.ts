/** Unpacking by the platform's DecompressionStream, with a limit on the output. */
import type { ByteReader } from '../../base/bytes.ts';

/** Bytes given to the platform at a time: it buffers at most this much, unpacked. */
const CHUNK_BYTES = 4096;

/** The highest compression ratio of deflate (zlib's technical notes: 1032 to 1). */
export const MAX_RATIO = 1032;

/**
 * @param bytes only the packed data
 * @param length the expected number of unpacked bytes
 * @param file the file's name, for messages
 * @param place where `bytes` start in it, and where it contains `length`
 * @throws Failure `bad-file` if the data is damaged or its length differs
 */
export async function unpack(
  format: 'gzip' | 'deflate-raw',
  bytes: Uint8Array,
  length: number,
  file: ByteReader,
  place: { start: number; lengthAt: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const output = new Uint8Array(length);
  let unpacked = 0;
  let fed = 0;
  const input = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        const chunk = bytes.slice(fed, fed + CHUNK_BYTES);
        fed += chunk.length;
        if (chunk.length > 0) controller.enqueue(chunk);
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const reader = input.pipeThrough(new DecompressionStream(format)).getReader();
  for (;;) {
    let part;
    try {
      part = await reader.read();
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw file.bad(
        `the compressed data is damaged or cut off at or before here (${reason})`,
        place.start + Math.min(fed, bytes.length),
      );
    }
    if (part.done) break;
    if (unpacked + part.value.length > length) {
      void reader.cancel().catch(() => undefined);
      throw file.bad(`the file says it holds ${length} bytes unpacked, but there are more`, place.lengthAt);
    }
    output.set(part.value, unpacked);
    unpacked += part.value.length;
  }
  if (unpacked !== length) {
    throw file.bad(
      `the file says it holds ${length} bytes unpacked, but ${unpacked} came out`,
      place.lengthAt,
    );
  }
  return output;
}
