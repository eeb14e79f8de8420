import { expect, test } from 'vitest';
import { predictedSamples } from './samples.ts';

const labels = Uint8Array.of(0, 1, 2, 1, 0, 2);
const evaluation = {
  loss: 1,
  accuracy: 0.5,
  confusion: new Uint32Array(9),
  predictions: Uint32Array.of(0, 2, 1, 2, 1, 2),
  confidences: Float32Array.of(0.9, 0.6, 0.95, 0.8, 0.6, 0.5),
  losses: Float32Array.of(0.1, 1, 4, 2, 3, 0.7),
};
const dataset = {
  shape: [1, 1, 2],
  test: { images: Uint8Array.from({ length: 12 }, (_, i) => i), labels, count: 6 },
};
const evaluated = { step: 10, epoch: 2, evaluation };
const all = { mistakesOnly: true, order: 'surest', first: 0, count: 10 } as const;
const found = (query: object) =>
  predictedSamples(dataset, evaluated, { ...all, ...query }).samples.map(({ index }) => index);

test('mistakes by confidence, class and cell of the matrix', () => {
  expect(found({})).toEqual([2, 3, 1, 4]);
  expect(found({ order: 'unsure' })).toEqual([1, 4, 3, 2]);
  expect(found({ order: 'file' })).toEqual([1, 2, 3, 4]);
  expect(found({ label: 1 })).toEqual([3, 1]);
  expect(found({ prediction: 1 })).toEqual([2, 4]);
  expect(found({ label: 1, prediction: 2, order: 'unsure' })).toEqual([1, 3]);
  expect(found({ mistakesOnly: false, label: 2, prediction: 2 })).toEqual([5]);
});

test('a part of the list, with images and probabilities', () => {
  const page = predictedSamples(dataset, evaluated, { ...all, first: 1, count: 2 });
  expect(page).toMatchObject({ step: 10, epoch: 2, total: 4, shape: [1, 1, 2] });
  expect([...page.images]).toEqual([6, 7, 2, 3]);
  expect(page.samples[0]).toMatchObject({ index: 3, label: 1, prediction: 2 });
  expect(page.samples[0].confidence).toBeCloseTo(0.8);
  expect(page.samples[0].labelProbability).toBeCloseTo(Math.exp(-2));
  expect(predictedSamples(dataset, evaluated, { ...all, first: 9 }).samples).toEqual([]);
});
