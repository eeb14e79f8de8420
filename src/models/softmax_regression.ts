import { flatten, linear } from './families/layers.ts';
import type { Model } from './model.ts';

/** Multinomial logistic regression: each class has one weight a pixel. */
const softmaxRegression: Model = {
  name: 'softmax_regression',
  title: 'Softmax regression',
  description: 'One layer: each class is a weighted sum of pixels. The least that can learn at all.',
  family: 'Simple',
  input: [1, 28, 28],
  classes: 10,
  layers: [flatten('flatten'), linear('fc', 10)],
};

export default softmaxRegression;
