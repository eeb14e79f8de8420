/** Makes a data set of the user's own images: decodes, resizes, splits, and computes mean and deviation. */
import { NO_AUGMENTATION } from '../../base/augmentation.ts';
import { Random } from '../../base/random.ts';
import { Failure } from '../../base/result.ts';
import { elements, type Shape } from '../../base/shape.ts';
import type { DatasetInfo, FileRole } from '../dataset.ts';
import { sha256 } from '../files.ts';
import { pictureHeader, requireDecodable, requireFileSize, type PictureHeader } from '../../base/picture.ts';
import { writeRecords } from '../formats/records.ts';
import { sortIntoClasses, type Located, type Skipped } from './classes.ts';
import { EMPTY_OWN } from './info.ts';
import { resized, type Picture } from './resize.ts';

export interface OwnFile extends Located {
  bytes: number;
  /** @throws Failure for files that cannot be read; they are skipped */
  read(): Promise<Uint8Array>;
}

export interface OwnOptions {
  /** The source of the pictures, for display: the name of a folder or archive. */
  from: string;
  /** [C, H, W] of the images to make: C of 1 or 3, H = W. */
  shape: Shape;
  /** Determines which images are for testing. Default 1. */
  seed?: number;
  /**
   * Decodes a PNG or JPEG file that is decodable by its header, the right way up.
   * @throws Error if it is damaged; Failure with another reason that completes a sentence after the file's name
   */
  decode(bytes: Uint8Array, header: PictureHeader): Picture | Promise<Picture>;
  /** Called now and then. */
  onProgress?(done: number, total: number): void;
  signal?: AbortSignal;
}

export interface OwnDataset {
  /** Its files are records, as in CIFAR-10. */
  info: DatasetInfo;
  files: Map<FileRole, Uint8Array>;
  /** Images per class, in the classes' order. */
  counts: number[];
  skipped: Skipped[];
}

const MAX_IMAGES = 100_000;
/** For archives of pictures: their total unpacked size must fit into a page's memory. */
export const OWN_ZIP_LIMITS = { files: 2 * MAX_IMAGES, bytes: 2 ** 32 };
/** The share of each class that is set apart for testing. */
const TEST_SHARE = 0.2;

/**
 * @throws Failure `bad-input` if there are not two classes of at least two images, if there are too many images, or for
 *   an invalid shape; `cancelled`
 */
export async function makeOwnDataset(files: readonly OwnFile[], options: OwnOptions): Promise<OwnDataset> {
  const { from, shape, seed = 1, onProgress, signal } = options;
  requirePictureShape(from, shape);
  const { classes, skipped } = sortIntoClasses(from, files);
  const total = classes.reduce((sum, one) => sum + one.files.length, 0);
  if (total > MAX_IMAGES) {
    throw new Failure('bad-input', `${from}: expected at most ${MAX_IMAGES} images, found ${total}`);
  }
  const found: { name: string; images: Uint8Array[] }[] = [];
  let done = 0;
  for (const { name, files: inClass } of classes) {
    const images: Uint8Array[] = [];
    for (const file of inClass) {
      if (signal?.aborted) throw new Failure('cancelled', 'Import cancelled.');
      try {
        images.push(await imageOf(file, options));
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        skipped.push({ path: file.path, reason: error.message });
      }
      onProgress?.(++done, total);
    }
    if (images.length > 1) found.push({ name, images });
    else
      skipped.push({
        path: `${name}/`,
        reason: 'has fewer than two images (one to train on, one to test on)',
      });
  }
  if (found.length < 2) {
    const [first] = skipped;
    throw new Failure(
      'bad-input',
      `${from}: expected at least two classes of at least two images; ${found.length} of ${classes.length} ` +
        `are left${skipped.length > 0 ? `, as ${first.path}: ${first.reason}` : ''}`,
    );
  }
  return {
    ...(await assemble(found, from, shape, seed)),
    counts: found.map(({ images }) => images.length),
    skipped,
  };
}

/**
 * @param from the source of the pictures
 * @throws Failure `bad-input` if pictures cannot become images of this shape
 */
export function requirePictureShape(from: string, shape: Shape): void {
  if (![1, 3].includes(shape[0]) || shape[1] !== shape[2]) {
    throw new Failure(
      'bad-input',
      `${from}: expected square images, grey or in colour (1 or 3 channels), found ${shape.join(' x ')}`,
      'Choose a model with a matching input shape.',
    );
  }
}

/** One picture as an image. @throws Failure with a reason that completes a sentence after the file's name */
export async function imageOf(
  file: OwnFile,
  { shape, decode }: Pick<OwnOptions, 'shape' | 'decode'>,
): Promise<Uint8Array> {
  const no = (reason: string) => new Failure('bad-file', reason);
  requireFileSize(file.bytes);
  const bytes = await file.read();
  const header = pictureHeader('it', bytes);
  if (!header) throw no('is not a valid PNG or JPEG');
  requireDecodable(header, bytes.length);
  let picture: Picture;
  try {
    picture = await decode(bytes, header);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw no(`cannot be decoded (${error instanceof Error ? error.message : String(error)})`);
  }
  return resized(picture, shape);
}

async function assemble(
  classes: readonly { name: string; images: Uint8Array[] }[],
  from: string,
  shape: Shape,
  seed: number,
): Promise<Pick<OwnDataset, 'info' | 'files'>> {
  const parts: Record<'train' | 'test', { label: number; image: Uint8Array }[]> = { train: [], test: [] };
  classes.forEach(({ name, images }, label) => {
    const tests = Math.max(1, Math.round(TEST_SHARE * images.length));
    const order = new Random(seed, `test images of ${name}`).permutation(images.length);
    order.forEach((at, i) => parts[i < tests ? 'test' : 'train'].push({ label, image: images[at] }));
  });
  for (const split of ['train', 'test'] as const) {
    // Otherwise the first images would all be of one class.
    const order = new Random(seed, `order of ${split}`).permutation(parts[split].length);
    parts[split] = Array.from(order, (at) => parts[split][at]);
  }
  const pixels = elements(shape);
  const roles = { train: 'train-batch-1', test: 'test-batch' } as const;
  const files = new Map<FileRole, Uint8Array>();
  const published: DatasetInfo['files'][number][] = [];
  for (const split of ['train', 'test'] as const) {
    const images = new Uint8Array(parts[split].length * pixels);
    parts[split].forEach(({ image }, i) => images.set(image, i * pixels));
    const bytes = writeRecords(
      images,
      Uint8Array.from(parts[split], ({ label }) => label),
    );
    const role = roles[split];
    files.set(role, bytes);
    published.push({ role, name: `${role}.bin`, bytes: bytes.length, sha256: await sha256(bytes) });
  }
  const { mean, std } = statisticsOf(
    parts.train.map(({ image }) => image),
    shape,
  );
  const info: DatasetInfo = {
    ...EMPTY_OWN,
    description: `From ${from}: ${namesOf(classes)}.`,
    shape,
    classes: classes.map(({ name }) => name),
    mean,
    std,
    // Only the owner knows whether a mirrored image still belongs to its class.
    augmentation: { ...NO_AUGMENTATION, crop: Math.round(shape[1] / 8) },
    counts: { train: parts.train.length, test: parts.test.length },
    files: published,
  };
  return { info, files };
}

/** How many classes are listed by name at most. */
const CLASSES_LISTED = 12;

function namesOf(classes: readonly { name: string; images: readonly unknown[] }[]): string {
  const listed = classes.slice(0, CLASSES_LISTED).map(({ name, images }) => `${name} (${images.length})`);
  const rest = classes.length - listed.length;
  return listed.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/** Mean and standard deviation of each channel, of pixels from 0 to 1, to four digits. */
function statisticsOf(images: readonly Uint8Array[], [C, H, W]: Shape): Pick<DatasetInfo, 'mean' | 'std'> {
  const plane = H * W;
  const each = Array.from({ length: C }, (_, channel) => {
    let [sum, squares] = [0, 0];
    for (const image of images) {
      for (let i = channel * plane; i < (channel + 1) * plane; i++) {
        sum += image[i];
        squares += image[i] * image[i];
      }
    }
    const count = images.length * plane;
    const mean = sum / count;
    // A constant channel has a deviation of 0, by which nothing can be divided.
    const deviation = Math.sqrt(Math.max(0, squares / count - mean * mean)) || 255;
    return [mean, deviation].map((value) => Number((value / 255).toFixed(4)) || 1e-4);
  });
  return { mean: each.map(([mean]) => mean), std: each.map(([, std]) => std) };
}
