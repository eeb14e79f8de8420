/** Draws all shapes and writes the files that the page ships with: `npm run shapes`. */
import { mkdirSync } from 'node:fs';
import { writeRecords } from '../../src/data/formats/records.ts';
import { printStatistics, writePacked } from '../pack.ts';
import { CHANNELS, SIZE } from './draw.ts';
import { drawImages, drawLabels, TEST, TRAIN } from './set.ts';

/** Writes the two files to `folder` and prints their entry for src/data/datasets/shapes. */
export function makeShapes(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const set of [TRAIN, TEST]) {
    const labels = drawLabels(set);
    const images = drawImages(set, labels, set.count);
    writePacked(folder, set.name, writeRecords(images, labels));
    printStatistics(set.name, images, [CHANNELS, SIZE, SIZE]);
  }
}
