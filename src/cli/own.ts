/** The user's own pictures, from a folder or a zip archive on this machine. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';
import { inflateSync } from 'node:zlib';
import { decode as decodeJpeg } from 'jpeg-js';
import { PNG } from 'pngjs';
import { Failure } from '../base/result.ts';
import type { Shape } from '../base/shape.ts';
import type { Dataset, DatasetInfo } from '../data/dataset.ts';
import type { PictureHeader } from '../base/picture.ts';
import { isZip, readZip } from '../data/formats/zip.ts';
import { assembleDataset } from '../data/load.ts';
import { makeOwnDataset, OWN_ZIP_LIMITS, type OwnFile } from '../data/own/make.ts';
import { readPictures, type Pictures } from '../data/own/pictures.ts';
import { upright, type Picture } from '../data/own/resize.ts';
import { readBytes, unreadable } from '../node/read.ts';

/** How many skipped files are listed at most. */
const REASONS_LISTED = 10;

/**
 * Converts pictures in folders, one folder per class, to images of `shape`.
 * @param path a folder, or a zip archive of one
 * @param note receives messages about found and skipped files
 * @throws Failure `not-found`, `bad-file` or `bad-input`
 */
export async function readOwnDataset(
  path: string,
  shape: Shape,
  note: (message: string) => void,
): Promise<{ info: DatasetInfo; dataset: Dataset }> {
  const from = basename(resolve(path));
  const { info, files, counts, skipped } = await makeOwnDataset(await filesOf(path), {
    from,
    shape,
    decode: decodePicture,
  });
  const made = `${shape[1]} x ${shape[2]}, ${shape[0] === 1 ? 'grey' : 'in colour'}, to match the model input`;
  note(`${from}: ${info.classes.map((name, i) => `${name} (${counts[i]})`).join(', ')}; ${made}`);
  for (const { path: left, reason } of skipped.slice(0, REASONS_LISTED)) note(`Skipped: ${left} ${reason}`);
  if (skipped.length > REASONS_LISTED) note(`Skipped: ${skipped.length - REASONS_LISTED} more`);
  return { info, dataset: await assembleDataset(info, files) };
}

/**
 * Reads pictures for a trained network: one file, a folder or a zip archive.
 * @param classes names of the network's classes
 * @throws Failure as `readPictures`; `not-found` if there is no such file
 */
export async function readPicturesAt(
  path: string,
  shape: Shape,
  classes: readonly string[],
): Promise<Pictures> {
  const from = basename(resolve(path));
  const files = await filesOf(path, (bytes) => [
    { path: from, bytes: bytes.length, read: () => Promise.resolve(bytes) },
  ]);
  return readPictures(files, classes, { from, shape, decode: decodePicture });
}

/** @param otherwise what to do with a file that is not an archive. Default: refuse it */
async function filesOf(path: string, otherwise?: (bytes: Uint8Array) => OwnFile[]): Promise<OwnFile[]> {
  const found = await stat(path).catch(() => undefined);
  if (!found)
    throw new Failure(
      'not-found',
      `there is no ${path}`,
      otherwise
        ? 'Expected an image, a folder of images, or a zip of one.'
        : 'Expected a folder with one subfolder per class, or a zip of one.',
    );
  if (found.isDirectory()) return filesBelow(path);
  const bytes = await readBytes(path);
  if (isZip(bytes)) return readZip(path, bytes, OWN_ZIP_LIMITS);
  if (otherwise) return otherwise(bytes);
  throw new Failure('bad-file', `${path}: expected a folder or a zip archive`);
}

/** Links are not followed: they may form cycles. */
async function filesBelow(folder: string): Promise<OwnFile[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch((cause: Error) => {
    throw unreadable(folder, cause);
  });
  const files: OwnFile[] = [];
  for (const entry of entries) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const { size } = await stat(path);
    const below = relative(folder, path).split(sep).join('/');
    files.push({ path: below, bytes: size, read: () => readBytes(path) });
  }
  return files;
}

/** Decodes a PNG or JPEG, as browsers do. */
export function decodePicture(bytes: Uint8Array, header: PictureHeader): Picture {
  const { kind, orientation } = header;
  requireQuick(bytes, header);
  if (kind === 'PNG') {
    requireInterlacedSize(bytes, header);
    return PNG.sync.read(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  }
  // It may find another size than the header has, and must not decode a larger one.
  const maxResolutionInMP = (header.width * header.height + 1) / 1e6;
  const options = { useTArray: true, maxResolutionInMP, maxMemoryUsageInMB: 512 } as const;
  return upright(decodeJpeg(bytes, options), orientation);
}

/**
 * The most work on a picture: two seconds, where browsers take a tenth of that. In colour, photos of 16 million pixels are below
 * it. A unit is what a decoder does for one sample: 12 to 19 ns and 26 to 47 ns, with the threads that collect garbage.
 */
const MAX_WORK = { PNG: 100e6, JPEG: 38e6 };
/** Units for a pixel of any number of samples. */
const PIXEL_WORK = { PNG: 0.7, JPEG: 0.35 };
/** What a scan of a JPEG adds to the work on a sample if there is nothing in it. Progressive ones have about ten. */
const SCAN_WORK = 0.01;

/** @throws Failure with a reason that completes a sentence after the file's name */
function requireQuick(bytes: Uint8Array, { kind, width, height, samples, scans }: PictureHeader): void {
  let work = samples + PIXEL_WORK[kind] * width * height;
  if (kind === 'JPEG') work += samples * SCAN_WORK * scans + bytes.length;
  if (work <= MAX_WORK[kind]) return;
  throw new Failure(
    'bad-file',
    `has ${width} x ${height} pixels, which take the command line longer than two seconds to decode ` +
      `(${(work / MAX_WORK[kind]).toFixed(1)} times its limit). Scale it down, or import it in the page`,
  );
}

/** Where a PNG says whether it is interlaced. */
const INTERLACED_AT = 28;

/** pngjs unpacks an interlaced image whole, however long it is. @throws Error if it is longer than its size allows */
function requireInterlacedSize(bytes: Uint8Array, { width, height }: PictureHeader): void {
  if (bytes[INTERLACED_AT] !== 1) return;
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  // A chunk is its length, its type, its data and a checksum.
  for (let at = 8; at + 12 <= bytes.length; at += 12 + file.getUint32(at))
    if (file.getUint32(at + 4) === IDAT) parts.push(bytes.subarray(at + 8, at + 8 + file.getUint32(at)));
  // At most eight bytes in a pixel, and two more in each row of the seven passes.
  inflateSync(Buffer.concat(parts), { maxOutputLength: 8 * width * height + 14 * height });
}

const IDAT = 0x49444154;
