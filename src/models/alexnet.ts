import { conv, dropout, flatten, linear, maxPool, relu } from './layers.ts';
import type { Model } from './model.ts';

/** Units of the fully connected layers: 4096 for images of 224x224. */
const HIDDEN = 1024;

/**
 * AlexNet (Krizhevsky, "One weird trick for parallelizing convolutional neural networks", 2014), with torchvision's
 * names. Fitted to small images: the first filters are of 5x5 with stride 1, not 11x11 with stride 4, and the fully
 * connected layers are smaller.
 */
const alexnet: Model = {
  name: 'alexnet',
  title: 'AlexNet',
  description: 'Five convolutions and three large fully connected layers. Large; needs a GPU.',
  family: 'Classics',
  input: [3, 32, 32],
  classes: 10,
  layers: [
    ...[conv('features.0', 64, 5), relu('features.1'), maxPool('features.2', 3, 2)],
    ...[conv('features.3', 192, 5), relu('features.4'), maxPool('features.5', 3, 2)],
    ...[conv('features.6', 384, 3), relu('features.7')],
    ...[conv('features.8', 256, 3), relu('features.9')],
    ...[conv('features.10', 256, 3), relu('features.11'), maxPool('features.12', 3, 2)],
    flatten('flatten'),
    ...[dropout('classifier.0'), linear('classifier.1', HIDDEN), relu('classifier.2')],
    ...[dropout('classifier.3'), linear('classifier.4', HIDDEN), relu('classifier.5')],
    linear('classifier.6', 10),
  ],
};

export default alexnet;
