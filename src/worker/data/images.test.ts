import { expect, test } from 'vitest';
import { imagePage } from './images.ts';

const set = (labels: number[]) => ({
  images: Uint8Array.from(labels, (_, i) => 10 * i),
  labels: Uint8Array.from(labels),
  count: labels.length,
});
const dataset = { shape: [1, 1, 1], classes: ['a', 'b'], train: set([0, 1, 1, 0, 1]), test: set([1, 0]) };

test('all images of a split, in parts', () => {
  expect(imagePage(dataset, { split: 'train', first: 1, count: 3 })).toEqual({
    shape: [1, 1, 1],
    classes: ['a', 'b'],
    total: 5,
    perClass: [2, 3],
    indices: Uint32Array.of(1, 2, 3),
    labels: Uint8Array.of(1, 1, 0),
    images: Uint8Array.of(10, 20, 30),
  });
  expect(imagePage(dataset, { split: 'test', first: 0, count: 9 }).indices).toEqual(Uint32Array.of(0, 1));
});

test('those of one class', () => {
  expect(imagePage(dataset, { split: 'train', label: 1, first: 1, count: 9 })).toMatchObject({
    total: 3,
    indices: Uint32Array.of(2, 4),
    images: Uint8Array.of(20, 40),
  });
});

test('none, where there is no test set', () => {
  const { test: _none, ...rest } = dataset;
  expect(imagePage(rest, { split: 'test', first: 0, count: 9 })).toMatchObject({
    total: 0,
    perClass: [0, 0],
  });
});
