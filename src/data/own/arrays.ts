/** Images that are not pictures but arrays: NumPy's, MNIST's, CIFAR's, tables of pixels. */
import { Failure } from '../../base/result.ts';
import { elements } from '../../base/shape.ts';
import { isPickle, readBatchPickle } from '../formats/batch-pickle.ts';
import { looksLikePixels } from '../formats/csv.ts';
import { looksLikeIdx, readIdx } from '../formats/idx.ts';
import { looksLikeWideLabels, readWideLabels } from '../formats/wide-labels.ts';
import { isParquet } from '../formats/parquet.ts';
import { isNpy, MAX_NPY_HEADER, readNpy, readNpyHeader, type NpyValues } from '../formats/npy.ts';
import type { OwnFile } from './open.ts';
import { imagesOf, isImageShape, type ArrayFile, type ArrayImages, type ArrayLabels } from './images.ts';
import { ofParquet } from './parquet.ts';
import { ofPixelTable } from './pixel-tables.ts';

const HEAD = MAX_NPY_HEADER;
const MAX_CLASSES = 256;

/**
 * @param most read so many images at most
 * @returns undefined for files without arrays
 * @throws Failure `bad-file` with the place of what is wrong
 */
export async function readArrays(file: OwnFile, most?: number): Promise<ArrayFile[] | undefined> {
  const head = await file.read(HEAD);
  const { path } = file;
  const none = { path, labels: [], names: new Map<string, readonly string[]>() };
  if (isNpy(head)) {
    const { shape, start, size } = readNpyHeader(path, head);
    const rows = most !== undefined && shape.length > 1 ? Math.min(most, shape[0]) : shape[0];
    const bytes = await file.read(start + (rows ?? 1) * elements(shape.slice(1)) * size);
    const array = readNpy(path, bytes, rows);
    return [{ ...none, ...imagesOrLabels(path, array.shape, array.data) }];
  }
  if (looksLikeIdx(head)) {
    const { shape, data } = readIdx(path, await file.read());
    return [{ ...none, ...imagesOrLabels(path, shape, data) }];
  }
  if (looksLikeWideLabels(head))
    return [{ ...none, ...imagesOrLabels(path, ...readWideLabels(path, await file.read())) }];
  if (isParquet(head)) return [await ofParquet(path, await file.read())];
  if (isPickle(head)) return [ofPickle(path, await file.read())];
  const record = recordOf(file);
  if (record) return [ofRecords(path, await file.read(), record)];
  if (isStl(file)) return [{ ...none, ...ofStl(path, await file.read()) }];
  if (looksLikePixels(head) || (await hasLongLine(file, head))) return ofPixelTable(path, await file.read());
  return undefined;
}

/** A line of names is often longer than the beginning. */
const hasLongLine = async (file: OwnFile, head: Uint8Array): Promise<boolean> =>
  /\.(csv|tsv|txt)$/i.test(file.path) && !head.includes(10) && looksLikePixels(await file.read(2 ** 20));

/** Whether files are arrays of images without labels: then each is a class. */
export async function areClasses(files: readonly OwnFile[]): Promise<boolean> {
  for (const file of files) {
    const head = await file.read(HEAD);
    if (!isNpy(head) || !isImageShape(readNpyHeader(file.path, head).shape)) return false;
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
  const labels = labelsOf(path, shape, data);
  if (labels) return { labels: [{ name, values: labels }] };
  if (typeof data[0] === 'string') return { labels: [] };
  return { images: imagesOf(path, shape, data as ArrayLike<number>), labels: [] };
}

/** [N], [N, 1], or [N, classes] with a 1 in each row. */
function labelsOf(path: string, shape: readonly number[], data: NpyValues): NpyValues | undefined {
  const isLabels = /label|target|(^|[/_])y([_.]|$)/i.test(path);
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
    if (ones > 1 && isLabels)
      throw new Failure(
        'bad-file',
        `${path}: expected one class for each image, found ${ones} of ${width} in row ${i}`,
      );
    if (ones !== 1) return undefined;
  }
  return values;
}

function ofPickle(path: string, bytes: Uint8Array): ArrayFile {
  const { arrays, names } = readBatchPickle(path, bytes);
  const labels: ArrayLabels[] = [];
  let images: ArrayImages | undefined;
  for (const [name, { shape, data }] of arrays) {
    const values = labelsOf(name, shape, data);
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

/** STL-10's binary files have no signature either: images of 3 x 96 x 96 by columns, and labels from 1. */
const STL_SHAPE = [3, 96, 96] as const;
const isStl = ({ path, bytes }: OwnFile): boolean =>
  /(^|\/)(train|test)_y\.bin$/.test(path) ||
  (/(^|\/)(train|test|unlabeled)_X\.bin$/.test(path) && bytes % elements(STL_SHAPE) === 0);

function ofStl(path: string, bytes: Uint8Array): Pick<ArrayFile, 'images' | 'labels'> {
  if (path.endsWith('_y.bin')) return { labels: [{ name: 'labels', values: bytes }] };
  const images = imagesOf(path, [bytes.length / elements(STL_SHAPE), ...STL_SHAPE], bytes, true);
  return { labels: [], ...(images ? { images } : {}) };
}
