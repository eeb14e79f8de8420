/** Draws all digits and writes the files that the page ships with: `npm run digits`. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { writeIdx } from '../../src/data/formats/idx.ts';
import { SIZE } from './draw.ts';
import { drawImages, drawLabels, TEST, TRAIN } from './set.ts';

/** gzip without a time, and with the operating system "unknown", so that the bytes tell nothing of where they were made. */
export function pack(bytes: Uint8Array): Buffer {
  const packed = gzipSync(bytes, { level: 9 });
  packed[9] = 255;
  return packed;
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Writes the four files to `folder` and prints what src/data/datasets/digits says of them. */
export function makeDigits(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const set of [TRAIN, TEST]) {
    const labels = drawLabels(set);
    const images = drawImages(set, labels, set.count);
    const files = {
      [`${set.prefix}-images-idx3-ubyte.gz`]: writeIdx([set.count, SIZE, SIZE], images),
      [`${set.prefix}-labels-idx1-ubyte.gz`]: writeIdx([set.count], labels),
    };
    for (const [name, plain] of Object.entries(files)) {
      const bytes = pack(plain);
      writeFileSync(path.join(folder, name), bytes);
      console.log(
        `${name}: bytes ${bytes.length}, sha256 ${sha256(bytes)}, unpacked sha256 ${sha256(plain)}`,
      );
    }
    const { mean, std } = statistics(images);
    console.log(`${set.prefix}: mean ${mean.toFixed(4)}, std ${std.toFixed(4)}`);
  }
}

/** Of pixels scaled to [0, 1]. */
function statistics(images: Uint8Array): { mean: number; std: number } {
  let sum = 0;
  let squares = 0;
  for (const pixel of images) {
    sum += pixel / 255;
    squares += (pixel / 255) ** 2;
  }
  const mean = sum / images.length;
  return { mean, std: Math.sqrt(squares / images.length - mean * mean) };
}
