import type { Model } from './model.ts';

/**
 * LeNet-5 (LeCun, Bottou, Bengio and Haffner, "Gradient-based learning applied to document recognition", 1998), with
 * ReLU and max pooling, as it is usually taught today. The first convolution is padded to accept 28x28.
 */
const lenet5: Model = {
  name: 'lenet5',
  title: 'LeNet-5',
  description: 'The classic network for handwritten digits: two convolutions, three fully connected layers.',
  family: 'Classics',
  input: [1, 28, 28],
  classes: 10,
  layers: [
    { name: 'conv1', op: 'conv', attributes: { outChannels: 6, kernelSize: [5, 5], padding: [2, 2] } },
    { name: 'relu1', op: 'relu' },
    { name: 'pool1', op: 'max_pool', attributes: { kernelSize: [2, 2], stride: [2, 2] } },
    { name: 'conv2', op: 'conv', attributes: { outChannels: 16, kernelSize: [5, 5] } },
    { name: 'relu2', op: 'relu' },
    { name: 'pool2', op: 'max_pool', attributes: { kernelSize: [2, 2], stride: [2, 2] } },
    { name: 'flatten', op: 'flatten' },
    { name: 'fc1', op: 'linear', attributes: { outFeatures: 120 } },
    { name: 'relu3', op: 'relu' },
    { name: 'fc2', op: 'linear', attributes: { outFeatures: 84 } },
    { name: 'relu4', op: 'relu' },
    { name: 'fc3', op: 'linear', attributes: { outFeatures: 10 } },
  ],
};

export default lenet5;
