/** Images that are not pictures but arrays: NumPy's, MNIST's, CIFAR's, tables of pixels. */
import { Failure } from '../../base/result.ts';
import { elements } from '../../base/shape.ts';
import { isPickle, readBatchPickle } from '../formats/batch-pickle.ts';
import { looksLikePixels, readPixelTable } from '../formats/csv.ts';
import { looksLikeIdx, readIdx } from '../formats/idx.ts';
import { isParquet } from '../formats/parquet.ts';
import { isNpy, MAX_NPY_HEADER, readNpy, readNpyHeader, type NpyValues } from '../formats/npy.ts';
import type { OwnFile } from './open.ts';
import { ofParquet } from './parquet.ts';
import { isLabelName } from './splits.ts';

/** Pixels as they are stored: C x H x W bytes, C of 1, 3 or 4. */
export interface Pixels {
  shape: readonly [number, number, number];
  bytes(): Uint8Array;
}

/** Images in a file, before they have the network's size. */
export interface ArrayImages {
  count: number;
  /** The image at a place: pixels, or a picture's file. */
  at(i: number): Pixels | OwnFile;
}

export interface ArrayLabels {
  /** Of the array in its file: "fine_labels". */
  name: string;
  /** The class of each image, by number or name. */
  values: NpyValues;
  /** Names of the numbers, if the file has them. */
  names?: readonly string[];
  /** The images with these labels, if others have other ones. */
  images?: ArrayImages;
}

/** What one file has: images, labels, both, or names of classes. */
export interface ArrayFile {
  path: string;
  images?: ArrayImages;
  labels: ArrayLabels[];
  /** Lists by key: "fine_label_names". */
  names: ReadonlyMap<string, readonly string[]>;
}

const HEAD = MAX_NPY_HEADER;
/** A smaller side is no image. */
const LEAST_SIDE = 8;
const MAX_CLASSES = 256;

/**
 * @param most read so many images at most
 * @returns undefined for files without arrays
 * @throws Failure `bad-file` with the place of what is wrong
 */
export async function readArrays(file: OwnFile, most?: number): Promise<ArrayFile | undefined> {
  const head = await file.read(HEAD);
  const { path } = file;
  const none = { path, labels: [], names: new Map<string, readonly string[]>() };
  if (isNpy(head)) {
    const { shape, start, size } = readNpyHeader(path, head);
    const rows = most !== undefined && shape.length > 1 ? Math.min(most, shape[0]) : shape[0];
    const bytes = await file.read(start + (rows ?? 1) * elements(shape.slice(1)) * size);
    const array = readNpy(path, bytes, rows);
    return { ...none, ...imagesOrLabels(path, array.shape, array.data) };
  }
  if (looksLikeIdx(head)) {
    const { shape, data } = readIdx(path, await file.read());
    return { ...none, ...imagesOrLabels(path, shape, data) };
  }
  if (isParquet(head)) return ofParquet(path, await file.read());
  if (isPickle(head)) return ofPickle(path, await file.read());
  const record = recordOf(file);
  if (record) return ofRecords(path, await file.read(), record);
  if (looksLikePixels(head) || (await hasLongLine(file, head))) return ofTable(path, await file.read());
  return undefined;
}

/** A line of names is often longer than the beginning. */
const hasLongLine = async (file: OwnFile, head: Uint8Array): Promise<boolean> =>
  /\.(csv|tsv|txt)$/i.test(file.path) && !head.includes(10) && looksLikePixels(await file.read(2 ** 20));

/** Whether files are arrays of images without labels: then each is a class. */
export async function areClasses(files: readonly OwnFile[]): Promise<boolean> {
  for (const file of files) {
    const head = await file.read(HEAD);
    if (!isNpy(head) || layoutOf(readNpyHeader(file.path, head).shape) === undefined) return false;
  }
  return files.length > 1;
}

/** Whether an array is of images or labels, by its sizes. */
function imagesOrLabels(
  path: string,
  shape: readonly number[],
  data: NpyValues,
): Pick<ArrayFile, 'images' | 'labels'> {
  const name = /[^/]*$/.exec(path)?.[0].replace(/\.np[yz]$/, '') ?? path;
  const labels = labelsOf(shape, data);
  if (labels) return { labels: [{ name, values: labels }] };
  if (typeof data[0] === 'string') return { labels: [] };
  return { images: imagesOf(path, shape, data as ArrayLike<number>), labels: [] };
}

/** [N], [N, 1], or [N, classes] with a 1 in each row. */
function labelsOf(shape: readonly number[], data: NpyValues): NpyValues | undefined {
  const [count, width, ...more] = shape;
  if (more.length > 0 || count === undefined) return undefined;
  if (width === undefined || width === 1) return data;
  if (width > MAX_CLASSES || typeof data[0] === 'string') return undefined;
  const values = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    let ones = 0;
    for (let k = 0; k < width; k++) {
      const value = data[i * width + k];
      if (value === 1) values[i] = k;
      if (value === 1) ones++;
      else if (value !== 0) return undefined;
    }
    if (ones !== 1) return undefined;
  }
  return values;
}

/** @throws Failure `bad-file` for sizes or values that are no images */
export function imagesOf(
  path: string,
  shape: readonly number[],
  data: ArrayLike<number>,
): ArrayImages | undefined {
  const laidOut = layoutOf(shape);
  if (!laidOut) return undefined;
  const { channels, height, width, last } = laidOut;
  const pixels = height * width;
  const size = channels * pixels;
  const toByte = bytesOf(path, data);
  const placeOf = (k: number) => (last ? (k % pixels) * channels + Math.floor(k / pixels) : k);
  const bytesAt = (i: number) =>
    Uint8Array.from({ length: size }, (_, k) => toByte(data[i * size + placeOf(k)]));
  return { count: shape[0], at: (i) => ({ shape: [channels, height, width], bytes: () => bytesAt(i) }) };
}

/** Sizes of images, and whether their channels come last; undefined if an array is none. */
function layoutOf(shape: readonly number[]) {
  const [, a, b, c] = shape;
  const large = (...sides: number[]) => sides.every((side) => side >= LEAST_SIDE);
  if (shape.length === 3 && large(a, b)) return { channels: 1, height: a, width: b, last: false };
  if (shape.length === 4 && [1, 3, 4].includes(c) && large(a, b))
    return { channels: c, height: a, width: b, last: true };
  if (shape.length === 4 && [1, 3].includes(a) && large(b, c))
    return { channels: a, height: b, width: c, last: false };
  if (shape.length !== 2) return undefined;
  // Rows of pixels, in colour as CIFAR has them: plane by plane.
  for (const channels of [1, 3]) {
    const side = Math.sqrt(a / channels);
    if (Number.isInteger(side) && large(side)) return { channels, height: side, width: side, last: false };
  }
  return undefined;
}

/** Pixels are bytes, or numbers from 0 to 255, from 0 to 1, or from -1 to 1. */
function bytesOf(path: string, data: ArrayLike<number>): (value: number) => number {
  if (data instanceof Uint8Array) return (value) => value;
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i < data.length; i++) {
    if (!Number.isFinite(data[i]))
      throw new Failure('bad-file', `${path}: expected pixels, found ${data[i]}`);
    least = Math.min(least, data[i]);
    most = Math.max(most, data[i]);
  }
  if (least >= 0 && most <= 1) return (value) => Math.round(255 * value);
  if (least >= -1 && most <= 1) return (value) => Math.round(127.5 * (value + 1));
  if (least >= 0 && most <= 255) return Math.round;
  throw new Failure(
    'bad-file',
    `${path}: expected pixels from 0 to 255, 0 to 1 or -1 to 1, found ${least} to ${most}`,
    'Save the images before they are normalised.',
  );
}

function ofPickle(path: string, bytes: Uint8Array): ArrayFile {
  const { arrays, names } = readBatchPickle(path, bytes);
  const labels: ArrayLabels[] = [];
  let images: ArrayImages | undefined;
  for (const [name, { shape, data }] of arrays) {
    const values = labelsOf(shape, data);
    if (values && shape[0] > 1) labels.push({ name, values });
    else images ??= imagesOf(path, shape, data);
  }
  return { path, labels, names, ...(images ? { images } : {}) };
}

/** The binary versions of CIFAR-10 and CIFAR-100 have no signature: their names and lengths are known. */
const RECORDS = [
  { name: /(^|\/)(data_batch_\d|test_batch)\.bin$/, labels: ['labels'] },
  { name: /(^|\/)(train|test)\.bin$/, labels: ['coarse_labels', 'fine_labels'] },
];
const RECORD_SHAPE = [3, 32, 32] as const;

const recordOf = (file: OwnFile): readonly string[] | undefined =>
  RECORDS.find(
    ({ name, labels }) => name.test(file.path) && file.bytes % (labels.length + elements(RECORD_SHAPE)) === 0,
  )?.labels;

function ofRecords(path: string, bytes: Uint8Array, names: readonly string[]): ArrayFile {
  const size = elements(RECORD_SHAPE);
  const record = names.length + size;
  const count = bytes.length / record;
  return {
    path,
    names: new Map(),
    labels: names.map((name, k) => ({
      name,
      values: Uint8Array.from({ length: count }, (_, i) => bytes[i * record + k]),
    })),
    images: {
      count,
      at: (i) => ({
        shape: RECORD_SHAPE,
        bytes: () => bytes.subarray(i * record + names.length, (i + 1) * record),
      }),
    },
  };
}

function ofTable(path: string, bytes: Uint8Array): ArrayFile {
  const { columns, width, values } = readPixelTable(path, bytes);
  const count = values.length / width;
  const none = { path, labels: [], names: new Map<string, readonly string[]>() };
  const isImage = (pixels: number) => layoutOf([count, pixels]) !== undefined;
  const column = (at: number) => Float32Array.from({ length: count }, (_, i) => values[i * width + at]);
  const named = columns?.findIndex(isLabelName) ?? -1;
  if (!isImage(width - 1) || (named < 0 && isImage(width))) {
    const images = imagesOf(path, [count, width], values);
    if (images) return { ...none, images };
    throw new Failure(
      'bad-file',
      `${path}: expected the pixels of square images with a label in each row, found ${width} values`,
    );
  }
  // Without a name, a column of small numbers that all occur.
  const candidates = named >= 0 ? [named] : [0, width - 1].filter((at) => isLabels(column(at)));
  if (candidates.length === 0)
    throw new Failure(
      'bad-file',
      `${path}: expected labels in the first or the last of ${width} columns`,
      'Name the column of labels "label" in the first line.',
    );
  const labels = candidates.map((at): ArrayLabels => {
    const pixels = values.slice(0, count * (width - 1));
    for (let i = 0, to = 0; i < values.length; i++) if (i % width !== at) pixels[to++] = values[i];
    const images = imagesOf(path, [count, width - 1], pixels);
    const name = columns?.[at] ?? (at === 0 ? 'first column' : 'last column');
    return { name, values: column(at), ...(images ? { images } : {}) };
  });
  return { ...none, labels };
}

/** Whole numbers from 0 or 1 to the number of classes, each more than once. */
function isLabels(values: Float32Array): boolean {
  const counts = new Map<number, number>();
  for (const value of values) {
    if (!Number.isInteger(value) || value < 0 || counts.size > MAX_CLASSES) return false;
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const numbers = [...counts.keys()];
  const most = Math.max(...numbers);
  return (
    counts.size >= 2 &&
    most - Math.min(...numbers) < 2 * counts.size &&
    [...counts.values()].every((n) => n > 1)
  );
}
