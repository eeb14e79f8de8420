/**
 * IDX, the format of MNIST's files (Y. LeCun, "The MNIST database"): two zero bytes, a byte for the element type, a byte
 * for the number of dimensions, every size as a big-endian 32-bit integer, then the elements, last dimension fastest.
 * Only unsigned bytes, in one dimension (labels) or three (images), are read.
 */
import { ByteReader } from '../../base/bytes.ts';
import { elements, showShape, type Shape } from '../../base/shape.ts';
import { assert } from '../../base/assert.ts';

export interface Idx {
  /** [count] for labels, [count, H, W] for images. */
  shape: number[];
  /** The elements: a view into the file's bytes. */
  data: Uint8Array;
}

const UNSIGNED_BYTE = 0x08;

/** Bytes of a whole IDX file of unsigned bytes. */
export const idxBytes = (shape: Shape): number => idxHeaderBytes(shape.length) + elements(shape);

/** Offset of the first element. */
export const idxHeaderBytes = (rank: number): number => 4 + 4 * rank;

/** True if the bytes start like an IDX file that `readIdx` reads. */
export const looksLikeIdx = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 &&
  bytes[0] === 0 &&
  bytes[1] === 0 &&
  bytes[2] === UNSIGNED_BYTE &&
  (bytes[3] === 1 || bytes[3] === 3);

/**
 * Reads an IDX file of unsigned bytes.
 * @param name the file's name, for messages
 * @param expected the sizes it must have; null for any size
 * @throws Failure `bad-file` with the byte offset of what is wrong
 */
export function readIdx(name: string, bytes: Uint8Array, expected?: readonly (number | null)[]): Idx {
  const file = new ByteReader(name, bytes);
  if (file.u8('the magic number') !== 0 || file.u8('the magic number') !== 0) {
    throw file.bad('expected an IDX file, which starts with two zero bytes', 0);
  }
  const type = file.u8('the element type');
  if (type !== UNSIGNED_BYTE) throw file.bad(`expected element type 8 (unsigned byte), found ${type}`, 2);
  const rank = file.u8('the number of dimensions');
  if (rank !== 1 && rank !== 3)
    throw file.bad(`expected 1 dimension (labels) or 3 (images), found ${rank}`, 3);
  if (expected !== undefined && rank !== expected.length) {
    throw file.bad(`expected ${expected.length} dimensions, found ${rank}`, 3);
  }

  const shape: number[] = [];
  for (let i = 0; i < rank; i++) {
    const size = file.u32be(`the size of dimension ${i}`);
    const wanted = expected?.[i];
    if (typeof wanted === 'number' && size !== wanted) {
      throw file.bad(`expected size ${wanted} in dimension ${i}, found ${size}`, file.offset - 4);
    }
    if (size === 0)
      throw file.bad(`expected at least one element, found size 0 in dimension ${i}`, file.offset - 4);
    shape.push(size);
  }
  const count = elements(shape);
  if (!Number.isSafeInteger(count))
    throw file.bad(`the sizes ${showShape(shape)} are more than any file holds`, 4);
  const data = file.take(count, `elements for the sizes ${showShape(shape)}`);
  file.end();
  return { shape, data };
}

/** An IDX file of unsigned bytes. @param shape [count] or [count, H, W]; its product is the length of `data` */
export function writeIdx(shape: Shape, data: Uint8Array): Uint8Array<ArrayBuffer> {
  assert(shape.length === 1 || shape.length === 3, `IDX files of ${shape.length} dimensions are not written`);
  assert(elements(shape) === data.length, `${data.length} bytes do not fill ${showShape(shape)}`);
  const bytes = new Uint8Array(idxBytes(shape));
  const view = new DataView(bytes.buffer);
  bytes[2] = UNSIGNED_BYTE;
  bytes[3] = shape.length;
  shape.forEach((size, i) => view.setUint32(4 + 4 * i, size));
  bytes.set(data, idxHeaderBytes(shape.length));
  return bytes;
}
