import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../../src/base/random.ts';
import { datasets } from '../../src/data/catalogue.ts';
import type { Dataset, ImageSet } from '../../src/data/dataset.ts';
import { verifyFile } from '../../src/data/files.ts';
import { assembleDataset } from '../../src/data/load.ts';
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
    const accuracy = linearAccuracy(dataset);
    expect(accuracy).toBeGreaterThan(0.6);
    expect(accuracy).toBeLessThan(0.9);
  }, 60_000);
});

/**
 * Test accuracy of softmax regression: mini-batches with momentum, the learning rate falling to 0. Black pixels are 0 and
 * skipped, since most are.
 */
function linearAccuracy({ train, test }: Dataset): number {
  const inputs = SIZE * SIZE;
  const classes = 10;
  const epochs = 20;
  const batch = 50;
  // One row of `classes` numbers a pixel, and one for the bias.
  const weights = new Float64Array((inputs + 1) * classes);
  const velocity = new Float64Array(weights.length);
  const gradient = new Float64Array(weights.length);
  const scores = new Float64Array(classes);

  /** Where an image is not black, ending with the bias. */
  const places = ({ images, count }: ImageSet) =>
    Array.from({ length: count }, (_, image) => {
      const found: number[] = [];
      for (let i = 0; i < inputs; i++) if (images[image * inputs + i] > 0) found.push(i);
      return Uint16Array.of(...found, inputs);
    });
  const value = (images: Uint8Array, image: number, place: number) =>
    place === inputs ? 1 : images[image * inputs + place] / 255;
  const forward = (images: Uint8Array, image: number, lit: Uint16Array) => {
    scores.fill(0);
    for (let i = 0; i < lit.length; i++) {
      const input = value(images, image, lit[i]);
      for (let k = 0; k < classes; k++) scores[k] += weights[lit[i] * classes + k] * input;
    }
  };
  const backward = (images: Uint8Array, image: number, lit: Uint16Array) => {
    for (let i = 0; i < lit.length; i++) {
      const input = value(images, image, lit[i]);
      for (let k = 0; k < classes; k++) gradient[lit[i] * classes + k] += scores[k] * input;
    }
  };

  const random = new Random(4);
  const trainPlaces = places(train);
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = random.permutation(train.count);
    const rate = 0.05 * (1 - epoch / epochs);
    for (let first = 0; first < train.count; first += batch) {
      gradient.fill(0);
      for (const image of order.subarray(first, first + batch)) {
        forward(train.images, image, trainPlaces[image]);
        const largest = Math.max(...scores);
        let total = 0;
        for (let k = 0; k < classes; k++) total += scores[k] = Math.exp(scores[k] - largest);
        for (let k = 0; k < classes; k++) scores[k] = scores[k] / total - (train.labels[image] === k ? 1 : 0);
        backward(train.images, image, trainPlaces[image]);
      }
      for (let i = 0; i < weights.length; i++) {
        velocity[i] = 0.9 * velocity[i] - (rate / batch) * gradient[i];
        weights[i] += velocity[i];
      }
    }
  }

  if (test === undefined) throw new Error('no test images');
  const testPlaces = places(test);
  let right = 0;
  for (let image = 0; image < test.count; image++) {
    forward(test.images, image, testPlaces[image]);
    if (scores.indexOf(Math.max(...scores)) === test.labels[image]) right++;
  }
  return right / test.count;
}
