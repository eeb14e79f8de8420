/** Whether a file is records of a label and an image, by its length; see records.ts. */
import { badFile } from '../../base/bytes.ts';

export const recordBytes = (pixels: number): number => 1 + pixels;

/**
 * The number of records in a file.
 * @param name the file's name, for messages
 * @param pixels bytes of one image
 * @param expected the required number; null for any number
 * @throws Failure `bad-file` with the byte offset of what is wrong
 */
export function countRecords(
  name: string,
  bytes: Uint8Array,
  pixels: number,
  expected: number | null,
): number {
  const size = recordBytes(pixels);
  const count = Math.floor(bytes.length / size);
  const rest = bytes.length % size;
  if (rest !== 0 || count === 0) {
    throw badFile(
      name,
      count * size,
      `expected records of ${size} bytes, a label and ${pixels} pixels each, found ${rest} bytes of one`,
    );
  }
  if (expected !== null && count !== expected) {
    throw badFile(
      name,
      Math.min(count, expected) * size,
      `expected ${expected} records of ${size} bytes, found ${count}`,
    );
  }
  return count;
}
