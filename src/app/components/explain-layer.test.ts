import { expect, test } from 'vitest';
import { explainLayer } from './explain-layer.ts';

test.each([
  ['Convolution 3 × 3', /small filters/],
  ['Depthwise convolution 3 × 3', /one filter per channel/],
  ['Batch normalisation', /mean 0 and variance 1/],
  ['Dropout', /Randomly/],
  ['Sum', /Element-wise sum/],
  ['Concatenation', /along the channel axis/],
  ['Max pooling 2 × 2', /of each window/],
  ['Max pooling to 1 × 1', /of each window/],
  ['Average pooling to 1 × 1', /mean of each window/],
  ['maxout', /maximum over groups/],
])('%s is explained', (title, words) => expect(explainLayer(title)).toMatch(words));
