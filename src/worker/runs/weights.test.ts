import { expect, test } from 'vitest';
import { writeSafetensors } from '../../data/formats/safetensors.ts';
import { filtersOf } from './weights.ts';

const tensor = (...shape: number[]) => ({
  shape,
  data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => i),
});

test('the filters of a saved run are the weights of its first convolution, with their biases', () => {
  const tensors = new Map([
    ['norm.weight', tensor(1)],
    ['stem.weight', tensor(2, 1, 3, 3)],
    ['stem.bias', tensor(2)],
    ['conv2.weight', tensor(4, 2, 3, 3)],
  ]);
  const filters = filtersOf('a run', writeSafetensors(tensors), 20);
  expect(filters).toEqual({
    step: 20,
    layer: 'stem',
    shape: [2, 1, 3, 3],
    weights: tensor(2, 1, 3, 3).data,
    bias: tensor(2).data,
  });
  const none = writeSafetensors(new Map([['fc.weight', tensor(10, 784)]]));
  expect(filtersOf('a run', none, 1)).toBeUndefined();
});
