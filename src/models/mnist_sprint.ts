import { conv, flatten, linear, maxPool, relu } from './layers.ts';
import type { Model } from './model.ts';

/**
 * The network of a record of training to 99 % on MNIST within one epoch: github.com/tuomaso/train_mnist_fast,
 * 8_Final_00s76.ipynb.
 */
const mnistSprint: Model = {
  name: 'mnist_sprint',
  title: 'MNIST sprinter',
  description:
    'Two convolutions of 24 and 32 filters, each pooled before its ReLU, and a hidden layer of 256: wide and shallow, to learn digits in one epoch.',
  family: 'Classics',
  input: [1, 28, 28],
  classes: 10,
  layers: [
    conv('conv1', 24, 5, { padding: 0 }),
    maxPool('pool1', 2, 2),
    relu('relu1'),
    conv('conv2', 32, 3, { padding: 0 }),
    maxPool('pool2', 2, 2),
    relu('relu2'),
    flatten('flatten'),
    linear('fc1', 256),
    relu('relu3'),
    linear('fc2', 10),
  ],
};

export default mnistSprint;
