/** Draws all shapes and writes the files that the page ships with: `npm run shapes`. */
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { writeRecords } from '../../src/data/formats/records.ts';
import { pack } from '../digits/make.ts';
import { drawImages, drawLabels, TEST, TRAIN } from './set.ts';
import { statistics } from './statistics.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Writes the two files to `folder` and prints what src/data/datasets/shapes says of them. */
export function makeShapes(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const set of [TRAIN, TEST]) {
    const labels = drawLabels(set);
    const images = drawImages(set, labels, set.count);
    const plain = writeRecords(images, labels);
    const bytes = pack(plain);
    writeFileSync(path.join(folder, set.name), bytes);
    console.log(
      `${set.name}: bytes ${bytes.length}, sha256 ${sha256(bytes)}, unpacked sha256 ${sha256(plain)}`,
    );
    for (const { mean, std } of statistics(images)) {
      console.log(`${set.name}: mean ${mean.toFixed(4)}, std ${std.toFixed(4)}`);
    }
  }
}
