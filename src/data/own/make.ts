/** Makes a data set of the user's own images: decodes, resizes, splits, and computes mean and deviation. */
import { NO_AUGMENTATION } from '../../base/augmentation.ts';
import { Random } from '../../base/random.ts';
import { Failure } from '../../base/result.ts';
import { elements, sameShape, type Shape } from '../../base/shape.ts';
import type { DatasetInfo, FileRole } from '../dataset.ts';
import { sha256 } from '../files.ts';
import { pictureHeader, requireDecodable, requireFileSize, type PictureHeader } from '../../base/picture.ts';
import { writeRecords } from '../formats/records.ts';
import type { Pixels } from './images.ts';
import { EMPTY_OWN } from './info.ts';
import type { OwnFile } from './open.ts';
import type { SetReading, Sample } from './reading.ts';
import { commonGround } from '../../base/pixels/ground.ts';
import {
  onGround,
  prepare,
  type GroundChoice,
  type ImageTarget,
  type Prepared,
} from '../../base/pixels/prepare.ts';
import type { Picture } from '../../base/pixels/resize.ts';
import { chosenReading, understand, type Corrections, type Skipped } from './understand.ts';

export interface OwnOptions extends Corrections {
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
  /** How it was understood. */
  reading: SetReading;
  skipped: Skipped[];
}

const MAX_IMAGES = 100_000;
/** Labels are bytes. */
const MAX_CLASSES = 256;
/** The share of each class that is set apart for testing if no images for testing are given. */
const TEST_SHARE = 0.2;

interface Image {
  label: number;
  image: Uint8Array;
}

/**
 * @throws Failure `bad-input` if there are not two classes of images to train and to test on, if there are too many images, for
 *   an invalid shape, or if it is not clear where the labels are; `cancelled`
 */
export async function makeOwnDataset(files: readonly OwnFile[], options: OwnOptions): Promise<OwnDataset> {
  const { from, shape, seed = 1, onProgress, signal } = options;
  requirePictureShape(from, shape);
  const understood = await understand(from, files);
  const reading = chosenReading(from, understood, options);
  const skipped = [...understood.skipped];
  requireCounts(from, reading);
  const used = reading.parts.filter(({ role }) => role !== 'unused');
  const total = used.reduce((sum, { samples }) => sum + samples.length, 0);
  const given = { train: imagesPerClass(reading), test: imagesPerClass(reading) };
  let done = 0;
  for (const { role, samples } of used) {
    const split = given[role === 'test' ? 'test' : 'train'];
    for (const sample of inClasses(samples, reading.classes)) {
      if (signal?.aborted) throw new Failure('cancelled', 'Import cancelled.');
      try {
        const images = split.get(sample.label);
        if (!images)
          throw new Failure('bad-file', `is of the class ${sample.label}, which has no training images`);
        images.push((await imageOf(sample.source, { shape }, options.decode)).image);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        skipped.push({ path: sample.path, reason: error.message });
      }
      onProgress?.(++done, total);
    }
  }
  for (const { name, role, samples, unlabelled } of reading.parts) {
    const left = unlabelled + (role === 'unused' ? samples.length : 0);
    if (left > 0) skipped.push({ path: `${name}/`, reason: leftOut(left, unlabelled) });
  }
  const split = used.some(({ role }) => role === 'test') ? given : heldOut(given.train, seed);
  const classes = reading.classes.filter((name) => {
    const [trains, tests] = [split.train.get(name)?.length ?? 0, split.test.get(name)?.length ?? 0];
    const isUsed = trains > 0 && (tests > 0 || given === split);
    if (!isUsed)
      skipped.push({
        path: `${name}/`,
        reason: 'has fewer than two images (one to train on, one to test on)',
      });
    return isUsed;
  });
  if (classes.length < 2) {
    const [first] = skipped;
    throw new Failure(
      'bad-input',
      `${from}: expected at least two classes of at least two images; ${classes.length} of ${reading.classes.length} ` +
        `are left${skipped.length > 0 ? `, as ${first.path}: ${first.reason}` : ''}`,
    );
  }
  const parts = { train: flattened(classes, split.train), test: flattened(classes, split.test) };
  if (parts.test.length === 0) throw new Failure('bad-input', `${from}: no image for testing can be read`);
  return {
    ...(await assemble(classes, parts, from, shape, seed)),
    counts: classes.map((name) => (split.train.get(name)?.length ?? 0) + (split.test.get(name)?.length ?? 0)),
    reading,
    skipped,
  };
}

function requireCounts(from: string, { classes, parts }: SetReading): void {
  const total = parts.reduce((sum, { role, samples }) => sum + (role === 'unused' ? 0 : samples.length), 0);
  if (classes.length > MAX_CLASSES)
    throw new Failure(
      'bad-input',
      `${from}: expected at most ${MAX_CLASSES} classes, found ${classes.length}`,
    );
  // As many as are used of arrays, for each of two parts.
  if (total > 2 * MAX_IMAGES)
    throw new Failure('bad-input', `${from}: expected at most ${2 * MAX_IMAGES} images, found ${total}`);
  if (!parts.some(({ role, samples }) => role === 'train' && samples.length > 0))
    throw new Failure('bad-input', `${from}: expected a part with labelled images to train on, found none`);
}

const leftOut = (images: number, unlabelled: number): string =>
  `is not used: ${images} image${images === 1 ? '' : 's'}${unlabelled === images ? ' without labels' : ''}`;

const imagesPerClass = ({ classes }: SetReading): Map<string, Uint8Array[]> =>
  new Map(classes.map((name) => [name, []]));

/** Class by class, then the others. */
const inClasses = (samples: readonly Sample[], classes: readonly string[]): Sample[] => {
  const place = new Map(classes.map((name, i) => [name, i]));
  return samples.toSorted((a, b) => (place.get(a.label) ?? Infinity) - (place.get(b.label) ?? Infinity) || 0);
};

type PerClass = ReadonlyMap<string, readonly Uint8Array[]>;

/** A fifth of each class is set apart for testing. */
function heldOut(all: PerClass, seed: number): { train: PerClass; test: PerClass } {
  const parts = { train: new Map<string, Uint8Array[]>(), test: new Map<string, Uint8Array[]>() };
  for (const [name, images] of all) {
    const tests = images.length < 2 ? 0 : Math.max(1, Math.round(TEST_SHARE * images.length));
    const order = Array.from(new Random(seed, `test images of ${name}`).permutation(images.length));
    parts.test.set(
      name,
      order.slice(0, tests).map((at) => images[at]),
    );
    parts.train.set(
      name,
      order.slice(tests).map((at) => images[at]),
    );
  }
  return parts;
}

const flattened = (classes: readonly string[], images: PerClass): Image[] =>
  classes.flatMap((name, label) => (images.get(name) ?? []).map((image): Image => ({ label, image })));

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
  source: OwnFile | Pixels,
  target: ImageTarget,
  decode: OwnOptions['decode'],
  choice?: GroundChoice,
): Promise<Prepared> {
  if (!('read' in source)) return imageOfPixels(source, target, choice);
  const no = (reason: string) => new Failure('bad-file', reason);
  requireFileSize(source.bytes);
  const bytes = await source.read();
  const header = pictureHeader('is damaged', bytes);
  if (!header) throw no('is not a picture that can be read');
  requireDecodable(header, bytes.length);
  let picture: Picture;
  try {
    picture = await decode(bytes, header);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw no(`cannot be decoded (${error instanceof Error ? error.message : String(error)})`);
  }
  return prepare(picture, target, choice);
}

/** Pixels of an array, which have the network's size already or are resized as pictures are. */
function imageOfPixels(pixels: Pixels, target: ImageTarget, choice?: GroundChoice): Prepared {
  const bytes = pixels.bytes();
  const [channels, height, width] = pixels.shape;
  if (sameShape(pixels.shape, target.shape)) return onGround(bytes, target, choice);
  const plane = height * width;
  const data = new Uint8Array(4 * plane).fill(255);
  for (let i = 0; i < plane; i++) {
    for (let c = 0; c < 3; c++) data[4 * i + c] = bytes[(channels === 1 ? 0 : c) * plane + i];
    if (channels === 4) data[4 * i + 3] = bytes[3 * plane + i];
  }
  return prepare({ width, height, data }, target, choice);
}

async function assemble(
  classes: readonly string[],
  inOrder: Record<'train' | 'test', Image[]>,
  from: string,
  shape: Shape,
  seed: number,
): Promise<Pick<OwnDataset, 'info' | 'files'>> {
  const parts = { ...inOrder };
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
    description: `From ${from}: ${namesOf(classes, [...parts.train, ...parts.test])}.`,
    shape,
    classes,
    mean,
    std,
    ground: commonGround(
      parts.train.map(({ image }) => image),
      shape,
    ),
    // Only the owner knows whether a mirrored image still belongs to its class.
    augmentation: { ...NO_AUGMENTATION, crop: Math.round(shape[1] / 8) },
    counts: { train: parts.train.length, test: parts.test.length },
    files: published,
  };
  return { info, files };
}

/** How many classes are listed by name at most. */
const CLASSES_LISTED = 12;

function namesOf(classes: readonly string[], images: readonly Image[]): string {
  const counts = classes.map(() => 0);
  for (const { label } of images) counts[label]++;
  const listed = classes.slice(0, CLASSES_LISTED).map((name, i) => `${name} (${counts[i]})`);
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
