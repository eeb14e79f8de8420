/** The texts of what a run has learnt: its filters, its mistakes, and a step in slow motion. */
import type { ReactNode } from 'react';
import { formsOf } from '../forms.ts';
import { inLanguage } from '../language.ts';
import { inLayers } from '../layers.ts';

const { count, many, word } = formsOf('en');

export const results = inLanguage('results', {
  matrix: 'Confusion matrix',
  aboutMatrix: inLayers(
    'What is mistaken for what. Each row is one kind of image, and shows what the network said about it. Select a number to see the images.',
    'Test images by true class (rows) and predicted class (columns). The diagonal is correct.',
    'confusion matrix',
  ),
  after: (step: number) => `after ${many(step, { one: 'step', other: 'steps' })}`,
  noResults: 'No results yet. The model is tested after each epoch.',
  testIt: 'No results yet. The model is tested after each epoch, or test it now.',
  mistakes: 'Most confident mistakes',
  aboutMistakes: inLayers(
    'Images that it got wrong although it was sure. Select one to see what happened.',
    'Misclassified test images, highest confidence first.',
    'confidence',
  ),
  filters: 'First-layer filters',
  aboutFilters: inLayers(
    'The small patterns that the network looks for first. They begin as random dots. Training makes patterns of them, in some networks edges and strokes. Select one to see what it finds.',
    'Weights of the first convolution: noise at the start. After training, large filters on large images are often edges; small ones need not look like anything.',
    'filter',
  ),
  afterStep: 'They appear after the first step.',
  noConvolution: 'This model has no convolution.',
  loading: 'Loading…',
  of: (shown: number, all: number) => `${count(shown)} of ${count(all)}`,
  confused: 'Most confused classes',
  mistaken: (label: ReactNode, prediction: ReactNode, times: number) => (
    <>
      {label} predicted as {prediction}, {many(times, { one: 'time', other: 'times' })}
    </>
  ),
  afterTest: 'Available after the next test.',
  viewAll: (mistakes: number) => `View all ${count(mistakes)}`,
  open: 'Open in Inspect',
  none: 'None. Every test image is classified correctly.',
  correct: (label: string, confidence: string) => `${label}, correct, ${confidence} confidence`,
  wrong: (label: string, prediction: string, confidence: string, ofLabel: string) =>
    `${label} predicted as ${prediction} with ${confidence} confidence (true class: ${ofLabel})`,
  phases: {
    label: 'Phases of a training step',
    first: 'Preparing the first step…',
    forward: (step: number, images: number, accuracy: string, loss: string, change: string) =>
      `Forward: step ${count(step)} ran ${many(images, { one: 'image', other: 'images' })} through all layers. ` +
      `${accuracy} were classified correctly; the loss was ${loss}${change}.`,
    change: (change: number) =>
      `, ${Math.abs(change)} ${change < 0 ? 'less' : 'more'} than for the previous batch`,
    backward:
      'Backward: the gradient of the loss was propagated back through every layer, giving each weight its effect on the loss.',
    update: (optimizer: string, rate: number, remembers: boolean) =>
      `Update: ${optimizer} moved every weight a small step, by its gradient${remembers ? ', those of earlier steps' : ''} and the ` +
      `learning rate ${rate}. The next batch sees the updated weights.`,
  },
  tables: {
    step: 'Step',
    epoch: 'Epoch',
    accuracy: 'Accuracy',
    loss: 'Loss',
    tests: 'Test results, latest epochs',
  },
  confusion: {
    caption: 'Test images by true class (rows) and predicted class (columns)',
    region: 'Counts by class',
    correct: (label: string) => `${label}, correct`,
    wrong: (label: string, prediction: string) => `${label} predicted as ${prediction}`,
    recall: 'Recall',
    change: (before: string, after: string) =>
      `Change in test images per true class (rows) and predicted class (columns), from ${before} to ${after}`,
    difference: 'Confusion matrix difference',
    changed: (label: string, prediction: string, before: number, after: number) =>
      `${label} predicted as ${prediction}: ${before}, then ${after}`,
    label: 'True class',
    prediction: 'Predicted class',
  },
  maps: {
    weights: 'Filter weights',
    coloursFrom: 'Colours from',
    coloursTo: 'to',
    values: (least: string, most: string) => `(values ${least} to ${most})`,
    filters: (filters: number, channels: number, height: number, width: number) =>
      `${filters} filters, ${channels} ${word(channels, { one: 'channel', other: 'channels' })} of ${height} × ${width} each`,
  },
});
