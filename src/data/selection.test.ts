import { expect, test } from 'vitest';
import { datasetChecksum } from './checksum.ts';
import type { Dataset, ImageSet } from './dataset.ts';
import { selectImages } from './select.ts';
import type { SelectionSettings } from './selection.ts';

const SIZES = [60, 30, 10, 4];

/** Images of four bytes that say which they are and have their class. */
const images = (labels: readonly number[]): ImageSet => ({
  images: Uint8Array.from(labels.flatMap((label, i) => [i % 256, Math.floor(i / 256), label, 7])),
  labels: Uint8Array.from(labels),
  count: labels.length,
});

/** Classes of different sizes, in the order of a file. */
const set: Dataset = {
  name: 'uneven',
  shape: [1, 2, 2],
  classes: ['a', 'b', 'c', 'd'],
  mean: [0],
  std: [1],
  train: images(SIZES.flatMap((size, label) => Array<number>(size).fill(label))),
  test: images([0, 1, 2, 3]),
};

const off: SelectionSettings = { seed: 1, validation: 0, wrongLabels: 0 };
const select = (change: Partial<SelectionSettings>, from = set) => selectImages(from, { ...off, ...change });

const placesOf = ({ images: bytes, count }: ImageSet) =>
  Array.from({ length: count }, (_, i) => bytes[4 * i] + 256 * bytes[4 * i + 1]);
const trueLabels = ({ images: bytes, count }: ImageSet) =>
  Array.from({ length: count }, (_, i) => bytes[4 * i + 2]);
const countsOf = (labels: ArrayLike<number>) =>
  SIZES.map((_, label) => Array.from(labels).filter((one) => one === label).length);
const wrongOf = (labelled: ImageSet) =>
  placesOf(labelled).filter((_, i) => labelled.labels[i] !== trueLabels(labelled)[i]);

test('without a selection, the data set is the same object', async () => {
  expect(await select({})).toBe(set);
});

test('validation takes the same share of each class, and the two are all images', async () => {
  const { train, validation, test: tests } = await select({ validation: 0.25 });
  expect(countsOf(validation?.labels ?? [])).toEqual([15, 8, 2, 1]);
  expect(tests).toBe(set.test);
  const [some, others] = [train, validation as ImageSet].map(placesOf);
  expect([...some, ...others].toSorted((a, b) => a - b)).toEqual(placesOf(set.train));
  // In the order of the file.
  for (const places of [some, others]) expect(places).toEqual(places.toSorted((a, b) => a - b));
});

test('every image keeps its label', async () => {
  const { train, validation } = await select({ validation: 0.3, trainImages: 40 });
  for (const part of [train, validation as ImageSet]) expect([...part.labels]).toEqual(trueLabels(part));
});

test.each([
  [16, [4, 4, 4, 4]],
  [1, undefined],
  // As far as there are: 4 and 10 of the small classes, the rest shared.
  [44, [15, 15, 10, 4]],
  [104, SIZES],
])('%i training images are balanced by class', async (trainImages, counts) => {
  const { train } = await select({ trainImages });
  expect(train.count).toBe(trainImages);
  expect(new Set(placesOf(train)).size).toBe(trainImages);
  if (counts) expect(countsOf(train.labels)).toEqual(counts);
});

test('more training images keep fewer ones', async () => {
  const [few, more] = await Promise.all([10, 30].map((trainImages) => select({ trainImages })));
  expect(placesOf(more.train)).toEqual(expect.arrayContaining(placesOf(few.train)));
});

test('wrong labels: the share of each class alike, each another class; more keep fewer', async () => {
  const { train, test: tests } = await select({ wrongLabels: 0.5 });
  const wrong = wrongOf(train);
  expect(wrong).toHaveLength(52);
  expect(countsOf(wrong.map((place) => set.train.labels[place]))).toEqual([30, 15, 5, 2]);
  // All other classes occur.
  expect(countsOf(train.labels).every((count, label) => count !== SIZES[label])).toBe(true);
  expect(tests).toBe(set.test);
  expect(wrong).toEqual(expect.arrayContaining(wrongOf((await select({ wrongLabels: 0.2 })).train)));
  expect(wrongOf((await select({ wrongLabels: 1 })).train)).toHaveLength(104);
  // The images are not copied, and the data set keeps its labels.
  expect(train.images).toBe(set.train.images);
  expect([...set.train.labels]).toEqual(trueLabels(set.train));
});

test('first validation, then the training images, then wrong labels', async () => {
  const all = { validation: 0.25, trainImages: 20, wrongLabels: 0.5 };
  const { train, validation } = await select(all);
  const held = await select({ validation: 0.25 });
  expect(validation).toEqual(held.validation);
  const some = await select({ validation: 0.25, trainImages: 20 });
  expect(placesOf(train)).toEqual(placesOf(some.train));
  expect(wrongOf(train)).toHaveLength(10);
  expect(wrongOf(validation as ImageSet)).toEqual([]);
});

test('the seed decides: the same again, another differently', async () => {
  const all = { validation: 0.25, trainImages: 20, wrongLabels: 0.5 };
  expect(await select(all)).toEqual(await select(all));
  const [one, other] = [await select(all), await select({ ...all, seed: 2 })];
  expect(placesOf(one.train)).not.toEqual(placesOf(other.train));
  expect(placesOf(one.validation as ImageSet)).not.toEqual(placesOf(other.validation as ImageSet));
});

test('selected from again, the data set gives the same; its checksum is that of all images', async () => {
  const all = { validation: 0.25, trainImages: 20, wrongLabels: 0.5 };
  const once = await select(all);
  expect(await select(all, once)).toEqual(once);
  expect(await datasetChecksum(once)).toBe(await datasetChecksum(set));
});

// An exported PyTorch project selects the same.
test('which images, and which labels', async () => {
  const { train, validation } = await select({ validation: 0.1, trainImages: 8, wrongLabels: 0.5 });
  expect({
    train: placesOf(train),
    labels: [...train.labels],
    validation: placesOf(validation as ImageSet),
  }).toEqual({
    train: [10, 12, 61, 77, 92, 93, 100, 102],
    labels: [2, 0, 1, 3, 2, 1, 3, 0],
    validation: [3, 34, 37, 50, 53, 55, 67, 76, 80, 95],
  });
});

test.each([
  [
    { trainImages: 105 },
    set,
    'Training images: expected at most the 104 training images of uneven, found 105',
  ],
  [
    { trainImages: 100, validation: 0.5 },
    set,
    'Training images: expected at most the 52 training images of uneven that are not held back, found 100',
  ],
  [
    { validation: 0.5 },
    { ...set, train: images([0]) },
    'Validation share: expected at least 2 training images, so that one can be held back and one remains, found 1',
  ],
  [
    { wrongLabels: 0.1 },
    { ...set, classes: ['a'], train: images([0, 0]) },
    'Wrong labels: expected at least 2 classes, found 1',
  ],
])('refused: %o', async (change, from, message) => {
  await expect(select(change, from)).rejects.toMatchObject({ code: 'bad-input', message });
});
