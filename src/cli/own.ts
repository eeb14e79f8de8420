/** The user's own pictures, from a folder or a zip archive on this machine. */
import { basename, resolve } from 'node:path';
import type { GroundChoice, ImageTarget } from '../base/pixels/prepare.ts';
import { Failure } from '../base/result.ts';
import type { Shape } from '../base/shape.ts';
import type { Dataset, DatasetInfo } from '../data/dataset.ts';
import type { PictureHeader } from '../base/picture.ts';
import { decodePng } from '../data/formats/png.ts';
import { assembleDataset } from '../data/load.ts';
import { makeOwnDataset, type OwnDataset } from '../data/own/make.ts';
import { readPictures, type Pictures } from '../data/own/pictures.ts';
import { upright, type Picture } from '../base/pixels/resize.ts';
import type { Corrections } from '../data/own/understand.ts';
import { decodeJpeg, decodeWebp } from './codecs.ts';
import { filesAt } from './files-at.ts';

const IMAGES = 'Expected an image, a folder of images, or an archive or array of them.';

/** How many skipped files are listed at most. */
const REASONS_LISTED = 10;

/**
 * Makes a data set of labelled images in a folder or file: pictures, archives, arrays.
 * @param note receives what was understood, and messages about skipped files
 * @throws Failure `not-found`, `bad-file` or `bad-input`
 */
export async function readOwnDataset(
  path: string,
  { shape, note, ...corrections }: Corrections & { shape: Shape; note(message: string): void },
): Promise<{ info: DatasetInfo; dataset: Dataset }> {
  const from = basename(resolve(path));
  const own = await makeOwnDataset(await filesAt(path, IMAGES), {
    ...corrections,
    from,
    shape,
    decode: decodePicture,
  });
  const { info, files, skipped } = own;
  note(understood(from, own));
  for (const { path: left, reason } of skipped.slice(0, REASONS_LISTED)) note(`Skipped: ${left} ${reason}`);
  if (skipped.length > REASONS_LISTED) note(`Skipped: ${skipped.length - REASONS_LISTED} more`);
  return { info, dataset: await assembleDataset(info, files) };
}

/** "pets: cat (10), dog (12); labels from the names of folders; 18 training and 4 test images (test); 32 x 32, in colour". */
function understood(from: string, { info, counts, reading }: OwnDataset): string {
  const { shape, classes } = info;
  const tests = reading.parts.filter(({ role }) => role === 'test').map(({ name }) => name);
  return [
    `${from}: ${classes.map((name, i) => `${name} (${counts[i]})`).join(', ')}`,
    `labels from ${reading.labelsFrom}`,
    ...(reading.assumed === undefined ? [] : [`assumed: ${reading.assumed}`]),
    `${info.counts.train} training and ${info.counts.test} test images (${tests.join(', ') || 'a fifth of each class'})`,
    `${shape[1]} x ${shape[2]}, ${shape[0] === 1 ? 'grey' : 'in colour'}, to match the model input`,
  ].join('; ');
}

/**
 * Reads pictures for a trained network: one file, a folder or a zip archive.
 * @param classes names of the network's classes
 * @throws Failure as `readPictures`; `not-found` if there is no such file
 */
export async function readPicturesAt(
  path: string,
  target: ImageTarget,
  classes: readonly string[],
  choice: GroundChoice,
): Promise<Pictures> {
  const from = basename(resolve(path));
  return readPictures(await filesAt(path, IMAGES), classes, {
    ...target,
    choice,
    from,
    decode: decodePicture,
  });
}

/** Decodes a PNG, JPEG or WebP, as browsers do. */
export async function decodePicture(bytes: Uint8Array, header: PictureHeader): Promise<Picture> {
  const { kind, orientation } = header;
  requireQuick(bytes, header);
  if (kind === 'PNG') return upright(await decodePng('is damaged', bytes), orientation);
  if (kind === 'WebP') return decodeWebp(bytes);
  if (kind !== 'JPEG')
    throw new Failure('bad-file', `is a picture in the format ${kind}, which only the page reads`);
  return upright(await decodeJpeg(bytes), orientation);
}

/**
 * The most work on a picture: two seconds, where browsers take a tenth of that. In colour, photos of 16 million pixels are below
 * it. A unit is what a decoder does for one sample: 12 to 19 ns of a PNG, up to 47 ns of a JPEG.
 */
const MAX_WORK = { PNG: 100e6, JPEG: 38e6, others: 100e6 };
/** Units for a pixel of any number of samples. */
const PIXEL_WORK = { PNG: 0.7, JPEG: 0.35, others: 0.7 };
/** What a scan of a JPEG adds to the work on a sample if there is nothing in it. Progressive ones have about ten. */
const SCAN_WORK = 0.01;

/** @throws Failure with a reason that completes a sentence after the file's name */
function requireQuick(bytes: Uint8Array, { width, height, samples, scans, ...header }: PictureHeader): void {
  const kind = header.kind === 'PNG' || header.kind === 'JPEG' ? header.kind : 'others';
  let work = samples + PIXEL_WORK[kind] * width * height;
  if (kind === 'JPEG') work += samples * SCAN_WORK * scans + bytes.length;
  if (work <= MAX_WORK[kind]) return;
  throw new Failure(
    'bad-file',
    `has ${width} x ${height} pixels, which take the command line longer than two seconds to decode ` +
      `(${(work / MAX_WORK[kind]).toFixed(1)} times its limit). Scale it down, or import it in the page`,
  );
}
