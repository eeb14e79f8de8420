import { flatten, linear, relu } from './families/layers.ts';
import type { Model } from './model.ts';

/** Two hidden layers, and every pixel an input of its own: it knows nothing of what lies beside what. */
const mlp: Model = {
  name: 'mlp',
  title: 'Multilayer perceptron',
  description: 'Three fully connected layers. It sees pixels, not patterns: how far does that go?',
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

export default mlp;
