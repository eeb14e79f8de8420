import { conv, flatten, linear, maxPool, relu } from './layers.ts';
import type { Model } from './model.ts';

/**
 * The network whose forward pass a report of ECE 408, Applied Parallel Programming (University of Illinois), optimises: its
 * images, convolutions and pooling. The report does not print the sizes of its linear layers, its activations, or whether
 * there are biases: those are LeNet-5's linear layers, ReLU, and no biases in the convolutions.
 */
const ece408: Model = {
  name: 'ece408_48',
  title: 'ECE 408, 48×48',
  description:
    'The convolutions of a course project on GPU kernels, for images of 48x48, with LeNet-5’s linear layers.',
  family: 'Classics',
  input: [1, 48, 48],
  classes: 10,
  layers: [
    conv('conv1', 6, 5, { padding: 0, bias: false }),
    relu('relu1'),
    maxPool('pool1', 2, 2),
    conv('conv2', 16, 5, { padding: 0, bias: false }),
    relu('relu2'),
    maxPool('pool2', 2, 2),
    flatten('flatten'),
    linear('fc1', 120),
    relu('relu3'),
    linear('fc2', 84),
    relu('relu4'),
    linear('fc3', 10),
  ],
};

export default ece408;
