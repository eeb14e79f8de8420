/** Images in arrays: their sizes, the order of their values, and what is black and white. */
import { Failure } from '../../base/result.ts';
import type { NpyValues } from '../formats/npy.ts';
import type { OwnFile } from './open.ts';

/** Pixels as they are stored: C x H x W bytes, C of 1, 3 or 4. */
export interface Pixels {
  shape: readonly [number, number, number];
  bytes(): Uint8Array;
}

/** Images in a file, before they have the network's size. */
export interface ArrayImages {
  count: number;
  /** What was assumed of their values, for people: "pixels from 0 to 16". */
  assumed?: string;
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

/** A smaller side is no image. */
const LEAST_SIDE = 8;

/**
 * @param turned whether columns are stored one after the other, as in MATLAB; by default they are in EMNIST's files
 * @throws Failure `bad-file` for sizes or values that are no images
 */
export function imagesOf(
  path: string,
  shape: readonly number[],
  data: ArrayLike<number>,
  turned = /emnist/i.test(path),
): ArrayImages | undefined {
  const laidOut = layoutOf(shape);
  if (!laidOut) return undefined;
  const { channels, height, width } = laidOut;
  const pixels = height * width;
  const size = channels * pixels;
  const isMixed = shape.length === 2 && channels > 1 && isInterleaved(data, shape[0], height);
  const last = laidOut.last || isMixed;
  const { toByte, white } = bytesOf(path, data);
  const inPlane = (k: number) => (turned ? (k % width) * height + Math.floor(k / width) : k);
  const placeOf = (k: number) => {
    const at = inPlane(k % pixels);
    return last ? at * channels + Math.floor(k / pixels) : k - (k % pixels) + at;
  };
  const bytesAt = (i: number) =>
    Uint8Array.from({ length: size }, (_, k) => toByte(data[i * size + placeOf(k)]));
  const assumed = [
    ...(white === undefined ? [] : [`pixels from 0 to ${white}, which is white`]),
    ...(isMixed ? ['the colours of a pixel one after the other'] : []),
    ...(turned ? ['columns of pixels one after the other: the images are turned upright'] : []),
  ].join(', ');
  return {
    count: shape[0],
    at: (i) => ({ shape: [channels, height, width], bytes: () => bytesAt(i) }),
    ...(assumed === '' ? {} : { assumed }),
  };
}

export const isImageShape = (shape: readonly number[]): boolean => layoutOf(shape) !== undefined;

/** Images that are compared to tell how colours are stored. */
const COMPARED = 32;

/**
 * Whether rows of 3 x side x side values hold the colours of each pixel, not a plane of each colour: neighbours are alike in the
 * right reading.
 */
function isInterleaved(data: ArrayLike<number>, count: number, side: number): boolean {
  const size = 3 * side * side;
  const differences = (right: number, below: number, width: number) => {
    let sum = 0;
    for (let n = 0; n < Math.min(count, COMPARED); n++) {
      const start = Math.floor((n * count) / Math.min(count, COMPARED)) * size;
      for (let k = 0; k < size - below; k++) {
        const value = data[start + k];
        // Not from the end of a row to the beginning of the next.
        if (k % width < width - right) sum += Math.abs(data[start + k + right] - value);
        sum += Math.abs(data[start + k + below] - value);
      }
    }
    return sum;
  };
  return differences(3, 3 * side, 3 * side) < differences(1, side, side);
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

/** Values that sets use for white, besides 255: images that are this dark throughout are hardly meant so. */
const WHITES = [1, 16, 100];

/**
 * Pixels from 0 to 255, 0 to 1, -1 to 1, 0 to 16 as scikit-learn's digits, or 0 to 100.
 * @returns also what is white, if a reader would not expect it
 */
function bytesOf(
  path: string,
  data: ArrayLike<number>,
): { toByte: (value: number) => number; white?: number } {
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i < data.length; i++) {
    if (!Number.isFinite(data[i]))
      throw new Failure('bad-file', `${path}: expected pixels, found ${data[i]}`);
    if (data[i] < least) least = data[i];
    if (data[i] > most) most = data[i];
  }
  if (least >= -1 && most <= 1 && least < 0) return { toByte: (value) => Math.round(127.5 * (value + 1)) };
  const white = WHITES.find((one) => most <= one && (one < 100 || most === one));
  if (least >= 0 && white !== undefined)
    return { toByte: (value) => Math.round((255 * value) / white), ...(white > 1 ? { white } : {}) };
  if (data instanceof Uint8Array) return { toByte: (value) => value };
  if (least >= 0 && most <= 255) return { toByte: Math.round };
  throw new Failure(
    'bad-file',
    `${path}: expected pixels from 0 to 255, 0 to 1 or -1 to 1, found ${least} to ${most}`,
    'Save the images before they are normalised.',
  );
}
