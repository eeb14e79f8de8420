import { badFile } from '../base/bytes.ts';
import { lazily } from '../base/lazily.ts';
import { Failure } from '../base/result.ts';
import type { Dataset, DatasetInfo, FileRole, ImageSet } from './dataset.ts';
import { fileOf, isBatch, splitOf, unpackedBytes, unpackedShape, type Split } from './files.ts';
import { gunzipIfNeeded } from './formats/gzip.ts';
import { idxHeaderBytes, readIdx } from './formats/idx.ts';

const batches = lazily(() => import('./batches.ts'));

export interface AssembleOptions {
  /**
   * `published` (the default): exactly the published number of images. `any`: any number, for reduced files; of
   * batches, the first is enough.
   */
  counts?: 'published' | 'any';
  /** Whether the test files must be there. By default they must. */
  testRequired?: boolean;
}

/** The largest unpacked size of a file with any number of images. */
const MAX_UNPACKED_BYTES = 2 ** 30;

/**
 * Builds a data set from the bytes of its files, gzipped or not. Everything is checked before anything is returned: the
 * formats, the sizes, equal numbers of labels and images, every label a class.
 * @throws Failure `bad-file` naming the file and the byte (of the unpacked file), `not-found` for a missing file
 */
export async function assembleDataset(
  info: DatasetInfo,
  files: ReadonlyMap<FileRole, Uint8Array>,
  { counts = 'published', testRequired = true }: AssembleOptions = {},
): Promise<Dataset> {
  const inBatches = info.files.some(({ role }) => isBatch(role));
  const assembleSplit = inBatches ? (await batches()).assembleBatches : assemblePair;
  const assemble = (split: Split) => assembleSplit(info, files, split, counts);
  const train = await assemble('train');
  const hasTest = [...files.keys()].some((role) => splitOf(role) === 'test');
  const test = testRequired || hasTest ? await assemble('test') : undefined;
  const { name, shape, classes, mean, std, ground } = info;
  return { name, shape, classes, mean, std, ground, train, test };
}

/** The unpacked bytes of a file. */
export async function plainBytes(
  info: DatasetInfo,
  files: ReadonlyMap<FileRole, Uint8Array>,
  role: FileRole,
  counts: 'published' | 'any',
): Promise<{ name: string; plain: Uint8Array }> {
  const { name } = fileOf(info, role);
  const bytes = files.get(role);
  if (bytes === undefined) {
    throw new Failure('not-found', `${info.title}: the file ${name} is missing`, `Put it beside the others.`);
  }
  const limit = counts === 'published' ? unpackedBytes(info, role) : MAX_UNPACKED_BYTES;
  return { name, plain: await gunzipIfNeeded(name, bytes, limit) };
}

/** A set with separate files for images and labels. */
async function assemblePair(
  info: DatasetInfo,
  files: ReadonlyMap<FileRole, Uint8Array>,
  split: Split,
  counts: 'published' | 'any',
): Promise<ImageSet> {
  const read = async (role: FileRole): Promise<{ name: string; count: number; data: Uint8Array }> => {
    const { name, plain } = await plainBytes(info, files, role, counts);
    const [count, ...image] = unpackedShape(info, role);
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
