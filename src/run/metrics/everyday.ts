/** Each metric in a sentence for people who have never heard of it. Beside the tables: the page fetches it with what shows it. */
import type { EVALUATION_METRICS, STEP_METRICS } from './table.ts';

export type MetricKey = (typeof STEP_METRICS | typeof EVALUATION_METRICS)[number]['key'];

/** What guessing gives, to two digits: 2.3 for ten classes. */
const guessing = (classes: number): number => Number(Math.log(classes).toPrecision(2));

/** @param classes of the data set */
export const EVERYDAY_METRICS: Readonly<Record<MetricKey, (classes: number) => string>> = {
  loss: (classes) =>
    `Loss measures how wrong it is: ${guessing(classes)} is pure guessing, 0 is perfect. Training makes it fall.`,
  accuracy: (classes) =>
    `How many of 100 images it gets right. Guessing gets ${classes > 100 ? 'less than one' : `about ${Math.round(100 / classes)}`}.`,
  imagesPerSecond: () => 'How many images it learns from in a second.',
  learningRate: () => 'How big a change it makes to itself at each step.',
  gradientNorm: () =>
    'How steep the slope is on which it walks downhill. Steep at first, flatter near the bottom; if it grows and grows, something is wrong.',
  updateRatio: () =>
    'How much each layer changes in a step, compared with what it is. About a thousandth is healthy.',
  trainLoss: (classes) =>
    `How wrong it is on the images that it learns from: ${guessing(classes)} is pure guessing, 0 is perfect.`,
  testLoss: (classes) =>
    `How wrong it is on images that it never learns from: ${guessing(classes)} is pure guessing, 0 is perfect.`,
  testAccuracy: () => 'How many of 100 images it gets right that it never learns from.',
  validationLoss: (classes) =>
    `How wrong it is on images kept aside to check along the way: ${guessing(classes)} is pure guessing, 0 is perfect.`,
  validationAccuracy: () =>
    'How many of 100 images it gets right that were kept aside to check along the way.',
};
