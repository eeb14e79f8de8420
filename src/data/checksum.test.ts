import { expect, test } from 'vitest';
import { datasetChecksum } from './checksum.ts';
import type { Dataset } from './dataset.ts';

const make = (change: (set: Dataset) => void = () => undefined): Dataset => {
  const set = (count: number) => ({
    count,
    images: new Uint8Array(4 * count),
    labels: new Uint8Array(count),
  });
  const dataset = {
    name: 'a',
    shape: [1, 2, 2],
    classes: ['0', '1'],
    mean: [0],
    std: [1],
    train: set(3),
    test: set(2),
  };
  change(dataset);
  return dataset;
};

test('sets with the same content have the same checksum, and any other content another', async () => {
  const sum = await datasetChecksum(make());
  expect(sum).toMatch(/^[0-9a-f]{64}$/);
  expect(await datasetChecksum(make((set) => (set.name = 'b')))).toBe(sum);
  const others = [
    make((set) => (set.train.images[11] = 1)),
    make((set) => (set.train.labels[2] = 1)),
    make((set) => set.test && (set.test.images[0] = 1)),
    make((set) => (set.classes = ['0', '2'])),
    make((set) => delete set.test),
  ];
  const sums = await Promise.all(others.map(datasetChecksum));
  expect(new Set([sum, ...sums]).size).toBe(others.length + 1);
});
