/** What is said of metrics. Beside the tables: the page fetches it when somebody asks. */
import type { EVALUATION_METRICS, STEP_METRICS } from './table.ts';

export type MetricKey = (typeof STEP_METRICS | typeof EVALUATION_METRICS)[number]['key'];

/** What guessing gives, to two digits: 2.3 for ten classes. */
const guessing = (classes: number): number => Number(Math.log(classes).toPrecision(2));

/** Each metric in a sentence for people who have never heard of it. @param classes of the data set */
export const EVERYDAY_METRICS: Readonly<Record<MetricKey, (classes: number) => string>> = {
  loss: (classes) =>
    `Loss measures how wrong it is: ${guessing(classes)} is pure guessing, 0 is perfect. Training makes it fall.`,
  accuracy: (classes) =>
    `How many of 100 images it gets right. Guessing gets ${classes > 100 ? 'less than one' : `about ${Math.round(100 / classes)}`}.`,
  imagesPerSecond: () => 'How many images it learns from in a second.',
  learningRate: () => 'How big a change it makes to itself at each step.',
  gradientNorm: () =>
    'How steep the slope is on which it walks downhill. Often flat at first, then steep, then flatter again; if it grows and grows, something is wrong.',
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

/** What is to be known of a metric that has a chart, precisely. @param classes of the data set */
export const METRIC_HINTS: Partial<Readonly<Record<MetricKey, (classes: number) => string>>> = {
  loss: (classes) =>
    `Cross-entropy; lower is better. Random guessing over ${classes} classes gives ${Number(Math.log(classes).toPrecision(4))}.`,
  accuracy: () =>
    'Share of images classified correctly. Test images are never trained on. Dashed lines mark epochs.',
  learningRate: () => 'The size of each step, as the schedule sets it from the base rate.',
  gradientNorm: () =>
    'L2 norm of the gradient over all weights. Often it grows in the first hundred steps, and shrinks later; growth without end is a sign of divergence.',
  updateRatio: () =>
    'How far a step moves the weights of each layer, relative to their size: about 0.001 is healthy. Far above, the learning rate is too high for that layer; far below, the layer hardly learns.',
};
