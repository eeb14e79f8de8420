import { conv, flatten, linear, maxPool } from './layers.ts';
import type { Model } from './model.ts';

const tanh = (name: string) => ({ name, op: 'tanh' });

/** A LeNet with more filters, tanh, and convolutions without biases, for images of 28x28. */
const fashionLenet: Model = {
  name: 'fashion_lenet',
  title: 'LeNet for Fashion-MNIST',
  description:
    'A LeNet with two convolutions of 20 and 50 filters without biases, tanh, and a hidden layer of 500.',
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
