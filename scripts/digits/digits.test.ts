import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { datasets } from '../../src/data/catalogue.ts';
import type { Dataset, ImageSet } from '../../src/data/dataset.ts';
import { verifyFile } from '../../src/data/files.ts';
import { assembleDataset } from '../../src/data/load.ts';
import { linearAccuracy } from '../linear.ts';
import { SIZE } from './draw.ts';
import { drawImages, drawLabels, TEST, TRAIN } from './set.ts';

const info = datasets.get('digits');
const folder = path.join(import.meta.dirname, '../../public/datasets/digits');
const files = new Map(info.files.map((file) => [file.role, readFileSync(path.join(folder, file.name))]));

describe('the drawn digits', () => {
  let train: ImageSet;
  let test: ImageSet;
  let dataset: Dataset;

  beforeAll(async () => {
    dataset = await assembleDataset(info, files);
    train = dataset.train;
    test = dataset.test as ImageSet;
  });

  it('are the files that the catalogue describes, under 4 MB', async () => {
    let total = 0;
    for (const file of info.files) {
      const bytes = files.get(file.role) as Uint8Array;
      await verifyFile(info, file, file.name, bytes);
      expect(bytes.length).toBe(file.bytes);
      total += bytes.length;
    }
    expect(total).toBeLessThan(4e6);
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

  it('have every class equally often, in no order', () => {
    for (const { labels, count } of [train, test]) {
      const counts = new Array<number>(10).fill(0);
      for (const label of labels) counts[label]++;
      expect(counts).toEqual(new Array<number>(10).fill(count / 10));
      expect(new Set(labels.subarray(0, 100)).size).toBe(10);
    }
  });

  it('have the mean and the deviation that the catalogue gives', () => {
    let sum = 0;
    let squares = 0;
    for (const pixel of train.images) {
      sum += pixel;
      squares += pixel * pixel;
    }
    const mean = sum / train.images.length;
    expect(mean / 255).toBeCloseTo(info.mean[0], 4);
    expect(Math.sqrt(squares / train.images.length - mean * mean) / 255).toBeCloseTo(info.std[0], 4);
  });

  it('do not repeat training images in the test set', () => {
    const pixels = SIZE * SIZE;
    const keys = ({ images, count }: ImageSet) =>
      Array.from({ length: count }, (_, i) =>
        Buffer.from(images.subarray(i * pixels, (i + 1) * pixels)).toString('latin1'),
      );
    const seen = new Set(keys(train));
    expect(seen.size).toBe(train.count);
    expect(keys(test).filter((key) => seen.has(key))).toEqual([]);
  });

  it('are too hard for a linear model, but not meaningless to it', () => {
    const accuracy = linearAccuracy(dataset, { epochs: 20, rate: 0.05 });
    expect(accuracy).toBeGreaterThan(0.6);
    expect(accuracy).toBeLessThan(0.9);
  }, 60_000);
});
