import { conv, flatten, linear, maxPool } from './layers.ts';
import type { Model } from './model.ts';

const tanh = (name: string) => ({ name, op: 'tanh' });

/**
 * The network of the course project of ECE 408, Applied Parallel Programming (University of Illinois, 2017), whose
 * reports time its forward pass on the 10,000 test images of Fashion-MNIST: github.com/illinois-impact/ece408_project,
 * fashion-mnist.py. Later years enlarged the images and changed the filters.
 */
const fashionLenet: Model = {
  name: 'fashion_lenet',
  title: 'LeNet for Fashion-MNIST',
  description:
    'Two convolutions of 20 and 50 filters without biases, tanh, a hidden layer of 500: the network of a course on GPU programming.',
  family: 'Classics',
  input: [1, 28, 28],
  classes: 10,
  layers: [
    conv('conv1', 20, 5, { padding: 0, bias: false }),
    tanh('tanh1'),
    maxPool('pool1', 2, 2),
    conv('conv2', 50, 5, { padding: 0, bias: false }),
    tanh('tanh2'),
    maxPool('pool2', 2, 2),
    flatten('flatten'),
    linear('fc1', 500),
    tanh('tanh3'),
    linear('fc2', 10),
  ],
};

export default fashionLenet;
