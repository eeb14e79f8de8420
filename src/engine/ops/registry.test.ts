import { expect, test } from 'vitest';
import { ops } from './registry.ts';

test('the folders contain these ops', () => {
  expect(ops.names()).toEqual([
    ...[
      'adaptive_avg_pool',
      'adaptive_max_pool',
      'add',
      'avg_pool',
      'batch_norm',
      'clip',
      'concat',
      'conv',
      'dropout',
    ],
    ...[
      'elu',
      'flatten',
      'gelu',
      'group_norm',
      'hard_sigmoid',
      'hard_swish',
      'instance_norm',
      'leaky_relu',
      'linear',
      'max_pool',
      'maxout',
      'pad',
      'prelu',
      'relu',
      'scale',
      'selu',
      'sigmoid',
      'silu',
    ],
    ...['softplus', 'tanh'],
  ]);
});

test('flatten keeps N and refuses inputs without it', () => {
  const flatten = ops.get('flatten');
  expect(flatten.isView).toBe(true);
  expect(flatten.outputShape({}, [3, 4, 5, 6])).toEqual([3, 120]);
  expect(flatten.outputShape({}, [3, 4])).toEqual([3, 4]);
  expect(() => flatten.outputShape({}, [3])).toThrow(/expected an input of shape \[N, ...\], found \[3\]/);
});
