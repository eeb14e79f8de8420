/** Tests of the synthetic data sets: properties that all of them have. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { elements } from '../../src/base/shape.ts';
import { datasets } from '../../src/data/catalogue.ts';
import type { Dataset, ImageSet } from '../../src/data/dataset.ts';
import { verifyFile } from '../../src/data/files.ts';
import { assembleDataset } from '../../src/data/load.ts';
import { DRAWN_SETS, drawImages, drawLabels } from '../drawn.ts';
import { statistics } from '../statistics.ts';

/** Images that are drawn again and compared. */
const AGAIN = 200;

/**
 * Adds the tests to the surrounding describe.
 * @param most bytes of all files
 * @returns the set, to test more of it
 */
export async function testDrawnSet(name: keyof typeof DRAWN_SETS, most: number): Promise<Dataset> {
  const drawn = DRAWN_SETS[name];
  const info = datasets.get(name);
  const folder = path.join(import.meta.dirname, '../../public/datasets', name);
  const files = new Map(info.files.map((file) => [file.role, readFileSync(path.join(folder, file.name))]));
  const dataset = await assembleDataset(info, files);
  const { train } = dataset;
  const test = dataset.test as ImageSet;

  it('are the files that the catalogue describes, and small', async () => {
    let total = 0;
    for (const file of info.files) {
      const bytes = files.get(file.role) as Uint8Array;
      await verifyFile(info, file, file.name, bytes);
      expect(bytes.length).toBe(file.bytes);
      total += bytes.length;
    }
    expect(total).toBeLessThan(most);
  });

  it.each([
    { part: drawn.train, set: train },
    { part: drawn.test, set: test },
  ])('come out of the generator again, byte for byte', ({ part, set }) => {
    const labels = drawLabels(drawn, part);
    expect(Buffer.compare(labels, set.labels)).toBe(0);
    const again = drawImages(drawn, part, labels, AGAIN);
    expect(Buffer.compare(again, set.images.subarray(0, again.length))).toBe(0);
  });

  it('have every class equally often, in random order', () => {
    const classes = info.classes.length;
    for (const { labels, count } of [train, test]) {
      const counts = new Array<number>(classes).fill(0);
      for (const label of labels) counts[label]++;
      expect(counts).toEqual(new Array<number>(classes).fill(count / classes));
      expect(new Set(labels.subarray(0, 100)).size).toBe(classes);
    }
  });

  it('have the means and the deviations that the catalogue gives', () => {
    statistics(train.images, dataset.shape).forEach(({ mean, std }, channel) => {
      expect(mean).toBeCloseTo(info.mean[channel], 4);
      expect(std).toBeCloseTo(info.std[channel], 4);
    });
  });

  it('do not repeat training images in the test set', () => {
    const pixels = elements(dataset.shape);
    const keys = ({ images, count }: ImageSet) =>
      Array.from({ length: count }, (_, i) =>
        Buffer.from(images.subarray(i * pixels, (i + 1) * pixels)).toString('latin1'),
      );
    const seen = new Set(keys(train));
    expect(seen.size).toBe(train.count);
    expect(keys(test).filter((key) => seen.has(key))).toEqual([]);
  });

  return dataset;
}
