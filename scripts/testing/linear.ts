/** For tests of synthetic data sets: the accuracy of a model without hidden layers. */
import { Random } from '../../src/base/random.ts';
import { elements } from '../../src/base/shape.ts';
import type { Dataset, ImageSet } from '../../src/data/dataset.ts';

/**
 * Test accuracy of softmax regression: mini-batches with momentum, the learning rate falling to 0. Black pixels, which
 * are most, are 0 and skipped.
 */
export function linearAccuracy(
  { shape, classes: { length: classes }, train, test }: Dataset,
  { epochs, rate: firstRate }: { epochs: number; rate: number },
): number {
  const inputs = elements(shape);
  const batch = 50;
  // One row of `classes` values per pixel, and one for the bias.
  const weights = new Float64Array((inputs + 1) * classes);
  const velocity = new Float64Array(weights.length);
  const gradient = new Float64Array(weights.length);
  const scores = new Float64Array(classes);

  /** The indices of an image's non-black pixels, followed by the bias. */
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
    const rate = firstRate * (1 - epoch / epochs);
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
