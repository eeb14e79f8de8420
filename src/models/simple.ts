import { flatten, linear, relu } from './layers.ts';
import type { Model } from './model.ts';

/** Multinomial logistic regression: each class has one weight per pixel. */
const softmaxRegression: Model = {
  name: 'softmax_regression',
  title: 'Softmax regression',
  description: 'A single linear layer on the pixels. The simplest baseline.',
  family: 'Simple',
  input: [1, 28, 28],
  classes: 10,
  layers: [flatten('flatten'), linear('fc', 10)],
};

/** Two hidden layers on the flattened pixels: it does not know which pixels are neighbours. */
const mlp: Model = {
  name: 'mlp',
  title: 'Multilayer perceptron',
  description: 'Three fully connected layers, no convolutions: a baseline.',
  family: 'Simple',
  input: [1, 28, 28],
  classes: 10,
  layers: [
    flatten('flatten'),
    ...[linear('fc1', 256), relu('relu1')],
    ...[linear('fc2', 128), relu('relu2')],
    linear('fc3', 10),
  ],
};

export default [softmaxRegression, mlp];
