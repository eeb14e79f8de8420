/** Draws all digits and writes the files that the page ships with: `npm run digits`. */
import { mkdirSync } from 'node:fs';
import { writeIdx } from '../../src/data/formats/idx.ts';
import { printStatistics, writePacked } from '../pack.ts';
import { SIZE } from './draw.ts';
import { drawImages, drawLabels, TEST, TRAIN } from './set.ts';

/** Writes the four files to `folder` and prints their entry for src/data/datasets/digits. */
export function makeDigits(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const set of [TRAIN, TEST]) {
    const labels = drawLabels(set);
    const images = drawImages(set, labels, set.count);
    writePacked(folder, `${set.prefix}-images-idx3-ubyte.gz`, writeIdx([set.count, SIZE, SIZE], images));
    writePacked(folder, `${set.prefix}-labels-idx1-ubyte.gz`, writeIdx([set.count], labels));
    printStatistics(set.prefix, images, [1, SIZE, SIZE]);
  }
}
