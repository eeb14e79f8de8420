import { expect, test } from 'vitest';
import { Failure } from '../base/result.ts';
import { inferShapes, type Layer } from './network.ts';

test.each<[string, Layer, RegExp]>([
  [
    'weights',
    { name: 'fc', op: 'linear', attributes: { outFeatures: 2 ** 27 } },
    /"fc".* linear: its weight of shape \[134217728, 16\] has more than 1073741824 values/,
  ],
  [
    'an output',
    { name: 'fc', op: 'linear', attributes: { outFeatures: 1e15, bias: false } },
    /"fc".* linear: its output of shape \[2, 1000000000000000\] has more than/,
  ],
])('%s that kernels cannot count are refused, with the layer', (_, layer, message) => {
  const infer = () => inferShapes([{ name: 'flat', op: 'flatten' }, layer], [2, 1, 4, 4]);
  expect(infer).toThrow(message);
  expect(infer).toThrow(Failure);
});
