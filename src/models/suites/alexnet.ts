import { square, type Suite } from './suite.ts';

/**
 * Krizhevsky, Sutskever and Hinton, "ImageNet classification with deep convolutional neural networks" (2012), without
 * the groups that spread it over two GPUs.
 */
const suite: Suite = {
  name: 'alexnet',
  title: 'AlexNet',
  description: 'Few layers with large filters, on images of 227x227.',
  batch: 32,
  layers: [
    { name: 'conv1', sizes: square(3, 227, 96, 11, 0, 4) },
    { name: 'conv2', sizes: square(96, 27, 256, 5, 2) },
    { name: 'conv3', sizes: square(256, 13, 384, 3, 1) },
    { name: 'conv4', sizes: square(384, 13, 384, 3, 1) },
    { name: 'conv5', sizes: square(384, 13, 256, 3, 1) },
  ],
};

export default suite;
