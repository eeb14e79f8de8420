import type { Layer } from '../engine/network.ts';
import { conv, dropout, flatten, linear, maxPool, relu } from './layers.ts';
import { FULL_SIZE, type Model } from './model.ts';

/**
 * AlexNet (Krizhevsky, "One weird trick for parallelizing convolutional neural networks", 2014), with torchvision's
 * names.
 * @param hidden units of the fully connected layers
 */
const alexnet = (first: Layer, hidden: number, classes: number): Layer[] => [
  ...[first, relu('features.1'), maxPool('features.2', 3, 2)],
  ...[conv('features.3', 192, 5), relu('features.4'), maxPool('features.5', 3, 2)],
  ...[conv('features.6', 384, 3), relu('features.7')],
  ...[conv('features.8', 256, 3), relu('features.9')],
  ...[conv('features.10', 256, 3), relu('features.11'), maxPool('features.12', 3, 2)],
  flatten('flatten'),
  ...[dropout('classifier.0'), linear('classifier.1', hidden), relu('classifier.2')],
  ...[dropout('classifier.3'), linear('classifier.4', hidden), relu('classifier.5')],
  linear('classifier.6', classes),
];

export default [
  {
    name: 'alexnet',
    title: 'AlexNet',
    description: 'Five convolutions and three large fully connected layers. Large; needs a GPU.',
    family: 'Classics',
    input: [3, 32, 32],
    classes: 10,
    // Fitted to small images: 5x5 with stride 1 in place of 11x11 with stride 4, and smaller fully connected layers.
    layers: alexnet(conv('features.0', 64, 5), 1024, 10),
  },
  {
    name: 'alexnet_224',
    title: 'AlexNet, 224×224',
    description: 'As published: five convolutions, 4,096 units in each fully connected layer, 1,000 classes.',
    ...FULL_SIZE,
    layers: alexnet(conv('features.0', 64, 11, { stride: 4, padding: 2 }), 4096, FULL_SIZE.classes),
  },
] satisfies Model[];
