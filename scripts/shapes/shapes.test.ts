import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { datasets } from '../../src/data/catalogue.ts';
import type { Dataset, ImageSet } from '../../src/data/dataset.ts';
import { verifyFile } from '../../src/data/files.ts';
import { assembleDataset } from '../../src/data/load.ts';
import { linearAccuracy } from '../linear.ts';
import { CHANNELS, SIZE } from './draw.ts';
import { OUTLINES } from './outlines.ts';
import { drawImages, drawLabels, TEST, TRAIN } from './set.ts';
import { statistics } from './statistics.ts';

const info = datasets.get('shapes');
const folder = path.join(import.meta.dirname, '../../public/datasets/shapes');
const files = new Map(info.files.map((file) => [file.role, readFileSync(path.join(folder, file.name))]));

describe('the drawn shapes', () => {
  let train: ImageSet;
  let test: ImageSet;
  let dataset: Dataset;

  beforeAll(async () => {
    dataset = await assembleDataset(info, files);
    train = dataset.train;
    test = dataset.test as ImageSet;
  });

  it('are the files that the catalogue describes, under 3 MB', async () => {
    let total = 0;
    for (const file of info.files) {
      const bytes = files.get(file.role) as Uint8Array;
      await verifyFile(info, file, file.name, bytes);
      expect(bytes.length).toBe(file.bytes);
      total += bytes.length;
    }
    expect(total).toBeLessThan(3e6);
  });

  it('come out of the generator again, byte for byte', () => {
    for (const [set, images] of [
      [TRAIN, train],
      [TEST, test],
    ] as const) {
      const labels = drawLabels(set);
      expect(Buffer.compare(labels, images.labels)).toBe(0);
      const again = drawImages(set, labels, 200);
      expect(Buffer.compare(again, images.images.subarray(0, again.length))).toBe(0);
    }
  });

  it('have the names of their classes', () => {
    expect(info.classes).toEqual(OUTLINES.map(({ name }) => name));
  });

  it('have every class equally often, in no order', () => {
    for (const { labels, count } of [train, test]) {
      const counts = new Array<number>(10).fill(0);
      for (const label of labels) counts[label]++;
      expect(counts).toEqual(new Array<number>(10).fill(count / 10));
      expect(new Set(labels.subarray(0, 100)).size).toBe(10);
    }
  });

  it('have the means and the deviations that the catalogue gives', () => {
    statistics(train.images).forEach(({ mean, std }, channel) => {
      expect(mean).toBeCloseTo(info.mean[channel], 4);
      expect(std).toBeCloseTo(info.std[channel], 4);
    });
  });

  it('do not repeat training images in the test set', () => {
    const pixels = CHANNELS * SIZE * SIZE;
    const keys = ({ images, count }: ImageSet) =>
      Array.from({ length: count }, (_, i) =>
        Buffer.from(images.subarray(i * pixels, (i + 1) * pixels)).toString('latin1'),
      );
    const seen = new Set(keys(train));
    expect(seen.size).toBe(train.count);
    expect(keys(test).filter((key) => seen.has(key))).toEqual([]);
  });

  // Chance is 10 %, and longer training gives no more: 13 % after twelve epochs.
  it('are far too hard for a linear model', () => {
    const accuracy = linearAccuracy(dataset, { epochs: 3, rate: 0.01 });
    expect(accuracy).toBeLessThan(0.2);
  }, 60_000);
});
