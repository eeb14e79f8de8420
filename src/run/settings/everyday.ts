/**
 * Each setting in a sentence for people who have never heard of it. Beside the table, because a page that opens shows none of
 * them; the command line has the hints alone.
 */
import type { SettingKey } from './table.ts';

export const EVERYDAY_SETTINGS: Readonly<Record<SettingKey, string>> = {
  batchSize: 'How many images the network looks at before each small change to itself.',
  optimizer: 'The rule by which the network changes itself after looking at some images.',
  lr: 'How big a change the network makes to itself at each step. Too small, and it learns slowly; too big, and it learns nothing.',
  momentum: 'How much of its last change the network repeats, as a rolling ball keeps its direction.',
  nesterov: 'A version of momentum that looks ahead: it judges the slope where the ball will be next.',
  alpha: 'How long it remembers how steep the slope has been for each of its numbers.',
  centered:
    'It compares each slope with how much that slope usually changes, not with how large it usually is.',
  eps: 'A tiny number that keeps it from ever dividing by zero. Leave it as it is.',
  nsSteps: 'How carefully each change is evened out, so that no direction is favoured. Leave it as it is.',
  rescale: 'Before each change, its filters are brought to the same overall size.',
  weightDecay:
    'Pulls all the network’s numbers gently towards zero, so that it learns simple rules instead of single images by heart.',
  decay1d: 'Whether that pull also acts on the few numbers that only shift or scale a result.',
  freeze: 'Parts of the network that stay as they are while the rest learns.',
  lrFactors: 'Lets some parts of the network learn faster or slower than the others.',
  decayFactors: 'Lets some parts of the network be pulled towards zero more, or less, than the others.',
  trainedEpochs: 'Lets some parts of the network learn only for some of the time.',
  augmentation:
    'Shows each image slightly changed nearly every time, so that the network has to learn the thing and not the one picture.',
  initialWeights: 'Start from a network that has learnt something already, or from nothing.',
  epochs: 'How many times the network looks at all training images.',
  steps: 'How many small changes the network makes before training ends.',
  stopAccuracy: 'Training pauses once the network gets so many of the test images right.',
  patience: 'Training pauses when the network has not got better for so many rounds through the images.',
  schedule:
    'Whether the size of the network’s changes stays the same, or shrinks towards the end: large steps first, then fine ones.',
  warmupEpochs:
    'Training begins with tiny changes, which grow to full size in so many rounds through the images.',
  stepEpochs: 'After so many rounds through the images, its changes get smaller.',
  gamma: 'How much smaller its changes get then: 0.1 makes them a tenth.',
  minLr: 'How small the learning rate becomes towards the end.',
  labelSmoothing:
    'Teaches the network to be a little less sure: “almost certainly a 3”, instead of “a 3 and nothing else”.',
  classWeights:
    'How much an image counts, by what it shows: with balanced weights, rare kinds count more, so that none is neglected.',
  clipNorm: 'The slope counts as no steeper than this, however odd the images it has just looked at.',
  ema: 'Uses the average of what it was over the last steps, fewer of them at first, which is steadier than what it is right now.',
  lookahead:
    'Every so many steps, the network goes back part of the way: further and further, so that it ends steadily.',
  testViews:
    'When the network is tested, it may look at each image several times, mirrored or shifted, and average its answers.',
  precision: 'How exactly numbers are stored. Shorter ones need less memory, and on some devices less time.',
  convAlgorithm:
    'Several ways of computing lead to the same result, up to the last digits; some are faster on your device.',
  weightsInit: 'How the random numbers that a new network starts with are drawn.',
  whiten:
    'The first filters start from patterns that are common in your images, instead of from random ones.',
  validation:
    'How many of 100 images are kept aside to check along the way, so that the test images stay a surprise until the end.',
  trainImages: 'How many images the network may learn from. With only a few, it learns them by heart.',
  wrongLabels: 'How many of 100 images get a wrong name on purpose, to see what mistakes in the data do.',
  shuffle: 'Shows the network the images in a new order each round, so that it cannot rely on the order.',
  recompute: 'Computes some things twice instead of remembering them: slower, but needs less memory.',
  memoryLimit: 'The most memory that training may use.',
  seed: 'Where its random numbers start. With the same seed, the same settings give the same run again on this device.',
};
