import { expect, test } from 'vitest';
import { ops } from '../engine/ops/registry.ts';
import { models } from '../models/index.ts';
import { summarise } from '../models/model.ts';
import { ABOUTS, explainLayer, isElementwise } from './abouts.ts';
import { FORMATS } from './writers.ts';

test('every op is described and written', () => {
  expect([...ABOUTS.keys()].sort()).toEqual(ops.names());
  expect(FORMATS.names()).toEqual(ops.names());
});

test('activations, ReLU and dropout change each value by itself', () => {
  expect(ops.names().filter(isElementwise)).toEqual([
    'clip',
    'dropout',
    'elu',
    'gelu',
    'hard_sigmoid',
    'hard_swish',
    'leaky_relu',
    'prelu',
    'relu',
    'scale',
    'selu',
    'sigmoid',
    'silu',
    'softplus',
    'tanh',
  ]);
  expect(isElementwise('unknown')).toBe(false);
});

test('layers are explained by their op and their title', () => {
  for (const { op, title } of models.all().flatMap((model) => summarise(model).layers))
    expect(Object.values(explainLayer(op, title)!), op).toEqual(Array(2).fill(expect.stringMatching(/\.$/)));
  expect(explainLayer('conv', 'Convolution 3 × 3')?.more).toMatch(/small filters/);
  expect(explainLayer('conv', 'Depthwise convolution 3 × 3')?.more).toMatch(/one filter per channel/);
  expect(explainLayer('unknown', 'Unknown')).toBeUndefined();
});
