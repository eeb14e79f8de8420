/** IDX files of 32-bit integers: QMNIST's labels. Apart from other IDX files, which the page reads before anything else. */
import { ByteReader } from '../../base/bytes.ts';
import { showShape } from '../../base/shape.ts';

const INT = 0x0c;

/** Whether a file has labels as 32-bit integers, such as QMNIST's. */
export const looksLikeWideLabels = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 &&
  bytes[0] === 0 &&
  bytes[1] === 0 &&
  bytes[2] === INT &&
  (bytes[3] === 1 || bytes[3] === 2);

/**
 * Labels as 32-bit integers. Of several columns the first is the class: https://github.com/facebookresearch/qmnist
 * @returns [count], and the labels. @throws Failure `bad-file`
 */
export function readWideLabels(name: string, bytes: Uint8Array): [number[], Float32Array] {
  const file = new ByteReader(name, bytes);
  const [, , , rank] = file.take(4, 'the magic number');
  const sizes = Array.from({ length: rank }, (_, i) => file.u32be(`the size of dimension ${i}`));
  const [count, columns = 1] = sizes;
  if (count * columns === 0 || !Number.isSafeInteger(4 * count * columns))
    throw file.bad(`expected labels, found the sizes ${showShape(sizes)}`, 4);
  const data = file.take(4 * count * columns, `labels for the sizes ${showShape(sizes)}`);
  file.end();
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return [[count], Float32Array.from({ length: count }, (_, i) => view.getInt32(4 * i * columns))];
}
