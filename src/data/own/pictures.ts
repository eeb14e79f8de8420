/** Pictures for a trained network: sorted, with labels where folders are named after the classes, and decoded. */
import { Failure } from '../../base/result.ts';
import type { Ground } from '../../base/pixels/ground.ts';
import { onGround, type GroundChoice, type ImageTarget } from '../../base/pixels/prepare.ts';
import { elements, sameShape, type Shape } from '../../base/shape.ts';
import type { DatasetInfo } from '../dataset.ts';
import { imageOf, requirePictureShape, type OwnOptions } from './make.ts';
import { isPicture, openFiles, type Located, type OwnFile } from './open.ts';
import { byPath } from './reading.ts';
import type { Skipped } from './understand.ts';

export interface Pictures {
  /** count x C x H x W bytes */
  images: Uint8Array<ArrayBuffer>;
  /** Their paths. */
  files: string[];
  /** The class of each; undefined unless every picture is in a folder named after its class. */
  labels?: Uint8Array;
  /** Pictures that could not be read. */
  skipped: Skipped[];
  /** How many lay on the other ground than the network's images, and were turned. */
  turned: number;
}

/** The most pictures at once, and the most bytes of their images. */
const MAX_PICTURES = 100_000;
const MAX_BYTES = 2 ** 31;

/**
 * The images that a network knows: of its weights, or else of the data set that they were trained on.
 * @param data that data set, if it is known
 */
export function imageTarget(
  shape: Shape,
  ground: Ground | 'none' | undefined,
  data: Pick<DatasetInfo, 'shape' | 'ground' | 'fitted'> | undefined,
): ImageTarget {
  const known = ground ?? data?.ground;
  return {
    shape,
    ground: known === 'none' ? undefined : known,
    fitted: data?.fitted === true && sameShape(data.shape, shape),
  };
}

/** A set's images on the ground that a network knows, and how many were turned. */
export function imagesOnGround(
  images: Uint8Array,
  target: ImageTarget,
  choice?: GroundChoice,
): { images: Uint8Array; turned: number } {
  if (choice !== 'invert' && target.ground === undefined) return { images, turned: 0 };
  const size = elements(target.shape);
  const all = new Uint8Array(images.length);
  let turned = 0;
  for (let at = 0; at < images.length; at += size) {
    const { image, isTurned } = onGround(images.subarray(at, at + size), target, choice);
    all.set(image, at);
    if (isTurned) turned++;
  }
  return { images: all, turned };
}

export interface PictureOptions
  extends ImageTarget, Pick<OwnOptions, 'from' | 'decode' | 'onProgress' | 'signal'> {
  /** Whether pictures on the other ground are turned. Default `auto`. */
  choice?: GroundChoice | undefined;
}

/**
 * Reads all pictures, those in archives too, in the order of their paths; other files are ignored.
 * @param from the source, for messages
 * @param classes names of the network's classes
 * @throws Failure `bad-input` if there are none, too many, or only some are in folders named after classes
 */
export async function readPictures(
  files: readonly OwnFile[],
  classes: readonly string[],
  { from, shape, decode, onProgress, signal, ground, fitted, choice }: PictureOptions,
): Promise<Pictures> {
  requirePictureShape(from, shape);
  const pictures: OwnFile[] = [];
  const skipped: Skipped[] = [];
  const skip = (path: string, error: unknown) => {
    if (!(error instanceof Failure) || files.length === 1) throw error;
    skipped.push({ path, reason: error.message });
  };
  for (const file of await openFiles(files, skip)) if (await isPicture(file)) pictures.push(file);
  const found = labelled(from, pictures, classes);
  const size = elements(shape);
  if (found.length * size > MAX_BYTES) {
    const most = Math.floor(MAX_BYTES / size);
    throw new Failure(
      'bad-input',
      `${from}: expected at most ${most} images of ${shape.join(' x ')}, found ${found.length}`,
    );
  }
  const images = new Uint8Array(found.length * size);
  const kept: { path: string; label: number | undefined }[] = [];
  let turned = 0;
  for (const [i, { file, label }] of found.entries()) {
    if (signal?.aborted) throw new Failure('cancelled', 'Cancelled.');
    try {
      const { image, isTurned } = await imageOf(file, { shape, ground, fitted }, decode, choice);
      images.set(image, kept.length * size);
      if (isTurned) turned++;
      kept.push({ path: file.path, label });
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      skipped.push({ path: file.path, reason: error.message });
    }
    onProgress?.(i + 1, found.length);
  }
  if (kept.length === 0) {
    const [{ path, reason }] = skipped;
    throw new Failure('bad-input', `${from}: no picture can be read; ${path} ${reason}`);
  }
  return {
    images: images.subarray(0, kept.length * size),
    files: kept.map(({ path }) => path),
    ...(found[0].label === undefined
      ? {}
      : { labels: Uint8Array.from(kept, ({ label }) => label as number) }),
    skipped,
    turned,
  };
}

/** The pictures in the order of their paths, with their labels: all of them, or none. */
export function labelled<F extends Located>(
  from: string,
  pictures: readonly F[],
  classes: readonly string[],
): { file: F; label: number | undefined }[] {
  if (pictures.length === 0) {
    throw new Failure(
      'bad-input',
      `${from}: expected pictures, found none`,
      'Choose an image, a folder of images, or a folder with one subfolder of images per class.',
    );
  }
  if (pictures.length > MAX_PICTURES) {
    throw new Failure(
      'bad-input',
      `${from}: expected at most ${MAX_PICTURES} images, found ${pictures.length}`,
    );
  }
  // The innermost folder whose name is a class. Others may lie around it.
  const labelOf = ({ path }: F): number | undefined =>
    path
      .split('/')
      .slice(0, -1)
      .map((folder) => classes.indexOf(folder))
      .findLast((label) => label >= 0);
  const all = pictures.toSorted(byPath).map((file) => ({ file, label: labelOf(file) }));
  const without = all.find(({ label }) => label === undefined);
  if (without && all.some(({ label }) => label !== undefined)) {
    throw new Failure(
      'bad-input',
      `${from}: expected every image in a folder named after its class, or none; ${without.file.path} is not`,
      `Classes: ${classes.slice(0, 20).join(', ')}${classes.length > 20 ? ', …' : ''}.`,
    );
  }
  return all;
}
