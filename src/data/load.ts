import { badFile } from '../base/bytes.ts';
import { Failure } from '../base/result.ts';
import type { Dataset, DatasetInfo, FileRole, ImageSet } from './dataset.ts';
import { fileOf, unpackedBytes, unpackedShape } from './files.ts';
import { gunzipIfNeeded } from './formats/gzip.ts';
import { idxHeaderBytes, readIdx } from './formats/idx.ts';

export interface AssembleOptions {
  /** `published` (the default): as many images as the data set has. `any`: however many there are, for reduced files. */
  counts?: 'published' | 'any';
  /** Whether the test files must be there. By default they must. */
  testRequired?: boolean;
}

/** The most a file of any number of images may unpack to. */
const MAX_UNPACKED_BYTES = 2 ** 30;

/**
 * Builds a data set from the bytes of its files, gzipped or not. Everything is checked before anything is returned: the
 * formats, the sizes, as many labels as images, every label the number of a class.
 * @throws Failure `bad-file` naming the file and the byte (of the unpacked file), `not-found` for a file that is missing
 */
export async function assembleDataset(
  info: DatasetInfo,
  files: ReadonlyMap<FileRole, Uint8Array>,
  { counts = 'published', testRequired = true }: AssembleOptions = {},
): Promise<Dataset> {
  const train = await assembleSet(info, files, 'train', counts);
  const hasTest = files.has('test-images') || files.has('test-labels');
  const test = testRequired || hasTest ? await assembleSet(info, files, 'test', counts) : undefined;
  const { name, shape, classes, mean, std } = info;
  return { name, shape, classes, mean, std, train, ...(test ? { test } : {}) };
}

async function assembleSet(
  info: DatasetInfo,
  files: ReadonlyMap<FileRole, Uint8Array>,
  split: 'train' | 'test',
  counts: 'published' | 'any',
): Promise<ImageSet> {
  const read = async (role: FileRole): Promise<{ name: string; count: number; data: Uint8Array }> => {
    const { name } = fileOf(info, role);
    const bytes = files.get(role);
    if (bytes === undefined) {
      throw new Failure(
        'not-found',
        `${info.title}: the file ${name} is missing`,
        `Put it beside the others.`,
      );
    }
    const [count, ...image] = unpackedShape(info, role);
    const limit = counts === 'published' ? unpackedBytes(info, role) : MAX_UNPACKED_BYTES;
    const plain = await gunzipIfNeeded(name, bytes, limit);
    const { shape, data } = readIdx(name, plain, [counts === 'published' ? count : null, ...image]);
    return { name, count: shape[0], data };
  };

  const labels = await read(`${split}-labels`);
  const wrong = labels.data.findIndex((label) => label >= info.classes.length);
  if (wrong >= 0) {
    throw badFile(
      labels.name,
      idxHeaderBytes(1) + wrong,
      `expected labels from 0 to ${info.classes.length - 1}, found ${labels.data[wrong]}`,
    );
  }
  const images = await read(`${split}-images`);
  if (images.count !== labels.count) {
    throw badFile(
      images.name,
      4,
      `expected ${labels.count} images, as many as ${labels.name} has, found ${images.count}`,
    );
  }
  return { images: images.data, labels: labels.data, count: images.count };
}
