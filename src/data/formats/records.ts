/**
 * The binary version of CIFAR-10 (https://www.cs.toronto.edu/~kriz/cifar.html): a sequence of records, each one byte
 * for the label and the bytes of one image, C x H x W. The files have no header; only their length can be checked.
 */
import { badFile } from '../../base/bytes.ts';
import { recordBytes } from './record-count.ts';

/**
 * Splits the records into the arrays of a whole set.
 * @param bytes a file that `countRecords` has checked
 * @param first the index of the file's first image in the set
 * @param classes labels must be below this
 * @throws Failure `bad-file` with the byte offset of a label that is not a class
 */
export function splitRecords(
  name: string,
  bytes: Uint8Array,
  { images, labels }: { images: Uint8Array; labels: Uint8Array },
  first: number,
  classes: number,
): void {
  const pixels = images.length / labels.length;
  const size = recordBytes(pixels);
  for (let at = 0, i = first; at < bytes.length; at += size, i++) {
    const label = bytes[at];
    if (label >= classes) throw badFile(name, at, `expected labels from 0 to ${classes - 1}, found ${label}`);
    labels[i] = label;
    images.set(bytes.subarray(at + 1, at + size), i * pixels);
  }
}

/** The file of a set's images and labels. */
export function writeRecords(images: Uint8Array, labels: Uint8Array): Uint8Array<ArrayBuffer> {
  const pixels = images.length / labels.length;
  const bytes = new Uint8Array(labels.length * recordBytes(pixels));
  labels.forEach((label, i) => {
    bytes[i * recordBytes(pixels)] = label;
    bytes.set(images.subarray(i * pixels, (i + 1) * pixels), i * recordBytes(pixels) + 1);
  });
  return bytes;
}
