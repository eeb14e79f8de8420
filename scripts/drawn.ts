/** The synthetic data sets that the page ships: what they consist of, and how `npm run digits` and `npm run shapes` make them. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { Random } from '../src/base/random.ts';
import { elements, type Shape } from '../src/base/shape.ts';
import { writeIdx } from '../src/data/formats/idx.ts';
import { writeRecords } from '../src/data/formats/records.ts';
import * as digits from './digits/draw.ts';
import * as shapes from './shapes/draw.ts';
import { statistics } from './statistics.ts';

/** The training images, or those of the test. */
export interface DrawnPart {
  /** File names start with this. */
  prefix: string;
  count: number;
  seed: number;
}

/** Every class equally often, in random order, each image from its own random stream. */
export interface DrawnSet {
  shape: Shape;
  classes: number;
  train: DrawnPart;
  test: DrawnPart;
  draw(label: number, random: Random): Uint8Array;
  /** The files of a part by name, before they are packed. */
  files(part: DrawnPart, images: Uint8Array, labels: Uint8Array): Readonly<Record<string, Uint8Array>>;
}

const CLASSES = 10;

export const DRAWN_SETS = {
  digits: {
    shape: [1, digits.SIZE, digits.SIZE],
    classes: CLASSES,
    train: { prefix: 'train', count: 10_000, seed: 20_011 },
    test: { prefix: 't10k', count: 2_000, seed: 77_003 },
    draw: digits.drawDigit,
    files: ({ prefix, count }, images, labels) => ({
      [`${prefix}-images-idx3-ubyte.gz`]: writeIdx([count, digits.SIZE, digits.SIZE], images),
      [`${prefix}-labels-idx1-ubyte.gz`]: writeIdx([count], labels),
    }),
  },
  shapes: {
    shape: [shapes.CHANNELS, shapes.SIZE, shapes.SIZE],
    classes: CLASSES,
    train: { prefix: 'train', count: 5_000, seed: 31_013 },
    test: { prefix: 'test', count: 1_000, seed: 88_007 },
    draw: shapes.drawShape,
    files: ({ prefix }, images, labels) => ({ [`${prefix}_batch.bin.gz`]: writeRecords(images, labels) }),
  },
} satisfies Readonly<Record<string, DrawnSet>>;

/** The labels of a whole part. */
export const drawLabels = ({ classes }: DrawnSet, { count, seed }: DrawnPart): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(new Random(seed, 'labels').permutation(count), (i) => i % classes);

/** The first `count` images of a part, for labels from `drawLabels`. */
export function drawImages(
  { shape, draw }: DrawnSet,
  { seed }: DrawnPart,
  labels: Uint8Array,
  count: number,
) {
  const pixels = elements(shape);
  const images = new Uint8Array(count * pixels);
  for (let i = 0; i < count; i++) images.set(draw(labels[i], new Random(seed, `image ${i}`)), i * pixels);
  return images;
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Writes the gzipped files of a set to `folder`, and prints what its catalogue entry says of them. */
export function makeSet(name: keyof typeof DRAWN_SETS, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const set: DrawnSet = DRAWN_SETS[name];
  for (const part of [set.train, set.test]) {
    const labels = drawLabels(set, part);
    const images = drawImages(set, part, labels, part.count);
    for (const [file, plain] of Object.entries(set.files(part, images, labels))) {
      const bytes = gzipSync(plain, { level: 9 });
      // No time, and operating system "unknown", so that the bytes do not depend on the machine.
      bytes[9] = 255;
      writeFileSync(path.join(folder, file), bytes);
      console.log(
        `${file}: bytes ${bytes.length}, sha256 ${sha256(bytes)}, unpacked sha256 ${sha256(plain)}`,
      );
    }
    for (const { mean, std } of statistics(images, set.shape)) {
      console.log(`${part.prefix}: mean ${mean.toFixed(4)}, std ${std.toFixed(4)}`);
    }
  }
}
