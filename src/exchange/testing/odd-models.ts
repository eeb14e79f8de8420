/** Networks with everything that the registered ones do not have, for tests of exports and imports. */
import type { Layer } from '../../engine/network.ts';
import type { Model } from '../../models/model.ts';

const END: readonly Layer[] = [
  { name: 'flatten', op: 'flatten' },
  { name: 'fc', op: 'linear', attributes: { outFeatures: 5 } },
];

const conv = (name: string, attributes: object, inputs?: readonly string[]): Layer => ({
  name,
  op: 'conv',
  attributes: { outChannels: 6, kernelSize: [3, 3], ...attributes },
  ...(inputs ? { inputs } : {}),
});

const odd = (name: string, input: readonly [number, number, number], layers: readonly Layer[]): Model => ({
  name,
  title: name,
  description: 'For tests.',
  input,
  classes: 5,
  layers: [...layers, ...END],
});

const ACTIVATIONS: readonly Layer[] = [
  { name: 'act.0', op: 'leaky_relu', attributes: { negativeSlope: 0.2 } },
  { name: 'act.1', op: 'elu', attributes: { alpha: 1.5 } },
  { name: 'act.2', op: 'gelu' },
  { name: 'act.3', op: 'gelu', attributes: { approximate: 'tanh' } },
  { name: 'act.4', op: 'silu' },
  { name: 'act.5', op: 'softplus' },
  { name: 'act.6', op: 'softplus', attributes: { beta: 2 } },
  { name: 'act.7', op: 'sigmoid' },
  { name: 'act.8', op: 'tanh' },
  { name: 'act.9', op: 'dropout', attributes: { p: 0.25 } },
  { name: 'act.10', op: 'scale', attributes: { factor: -0.75 } },
  { name: 'act.11', op: 'clip' },
  { name: 'act.12', op: 'clip', attributes: { min: 0, max: 1.5 } },
  { name: 'act.13', op: 'selu' },
  { name: 'act.14', op: 'hard_sigmoid' },
];

export const ODD_MODELS: readonly Model[] = [
  odd(
    'branches',
    [3, 9, 9],
    [
      conv('a', { padding: [1, 1] }),
      { name: 'bn', op: 'batch_norm', attributes: { eps: 1e-3, momentum: 0.03 } },
      conv('b', { padding: [1, 1], bias: false }, ['a']),
      { name: 'sum', op: 'add', inputs: ['bn', 'b', 'a'] },
      { name: 'cat', op: 'concat', inputs: ['sum', 'input', 'bn'] },
      { name: 'relu', op: 'relu' },
    ],
  ),
  odd(
    'maxout',
    [2, 7, 6],
    [
      conv('a', { outChannels: 8 }),
      { name: 'out', op: 'maxout', attributes: { pieces: 2 } },
      conv('b', { outChannels: 6 }),
      { name: 'out2', op: 'maxout', attributes: { pieces: 3 } },
    ],
  ),
  odd(
    'groups',
    [4, 8, 8],
    [
      conv('a', { outChannels: 8, groups: 4 }),
      conv('b', { outChannels: 8, groups: 8, padding: [1, 0] }),
      conv('c', { outChannels: 6, groups: 2, kernelSize: [1, 3], stride: [1, 2] }),
    ],
  ),
  odd(
    'dilation',
    [3, 17, 15],
    [
      conv('a', { dilation: [2, 3], padding: [2, 3] }),
      { name: 'pool', op: 'max_pool', attributes: { kernelSize: [2, 3], stride: [1, 2], dilation: [3, 2] } },
    ],
  ),
  odd(
    'unequal-padding',
    [3, 10, 11],
    [
      conv('a', { kernelSize: [2, 4], stride: [2, 1], padding: { top: 0, bottom: 1, left: 2, right: 1 } }),
      { name: 'relu', op: 'relu' },
      {
        name: 'b',
        op: 'max_pool',
        attributes: { kernelSize: [3, 2], stride: [2, 2], padding: { top: 1, bottom: 2, left: 0, right: 1 } },
      },
      conv('c', { padding: 'same', stride: [2, 2] }),
      {
        name: 'd',
        op: 'avg_pool',
        attributes: { kernelSize: [2, 2], padding: [1, 0], stride: [1, 1], countIncludePad: false },
      },
      {
        name: 'e',
        op: 'avg_pool',
        attributes: { kernelSize: [2, 2], padding: { top: 0, bottom: 1, left: 1, right: 1 } },
      },
    ],
  ),
  {
    ...odd('slopes', [3, 7, 6], []),
    layers: [
      conv('a', {}),
      { name: 'each', op: 'prelu', attributes: { numParameters: 6, init: 0.1 } },
      conv('b', {}),
      { name: 'all', op: 'prelu' },
      { name: 'flat', op: 'flatten' },
      { name: 'hidden', op: 'linear', attributes: { outFeatures: 7 } },
      { name: 'vector', op: 'prelu', attributes: { numParameters: 7 } },
      { name: 'fc', op: 'linear', attributes: { outFeatures: 5 } },
    ],
  },
  odd(
    'borders',
    [3, 7, 8],
    [
      { name: 'image', op: 'pad', attributes: { padding: [2, 3], mode: 'reflect' } },
      conv('a', {}),
      { name: 'relu', op: 'relu' },
      {
        name: 'mirror',
        op: 'pad',
        attributes: { padding: { top: 1, bottom: 0, left: 3, right: 2 }, mode: 'reflect' },
      },
      conv('b', {}),
      { name: 'number', op: 'pad', attributes: { padding: [1, 0], value: -0.75 } },
    ],
  ),
  odd(
    'zeros',
    [3, 7, 8],
    [
      conv('a', {}),
      { name: 'p', op: 'pad', attributes: { padding: [1, 1] } },
      { name: 'm', op: 'max_pool', attributes: { kernelSize: [3, 3], stride: [2, 2] } },
      { name: 'q', op: 'pad', attributes: { padding: { top: 0, bottom: 1, left: 2, right: 0 } } },
      conv('b', { padding: [1, 1] }),
      { name: 'r', op: 'pad', attributes: { padding: [1, 2] } },
    ],
  ),
  odd(
    'norms',
    [3, 9, 8],
    [
      conv('a', {}),
      { name: 'gn', op: 'group_norm', attributes: { numGroups: 2 } },
      { name: 'gn2', op: 'group_norm', attributes: { numGroups: 3, eps: 1e-3, affine: false } },
      conv('b', { padding: [1, 1] }),
      { name: 'in', op: 'instance_norm', attributes: { affine: true, eps: 1e-4 } },
      { name: 'relu', op: 'relu' },
      { name: 'in2', op: 'instance_norm' },
    ],
  ),
  odd(
    'adaptive',
    [3, 11, 10],
    [
      conv('a', {}),
      { name: 'p', op: 'adaptive_avg_pool', attributes: { outputSize: [5, 3] } },
      { name: 'q', op: 'adaptive_max_pool', attributes: { outputSize: [2, 2] } },
      { name: 'r', op: 'adaptive_max_pool', attributes: { outputSize: [1, 1] } },
    ],
  ),
  odd(
    'threshold',
    [3, 6, 6],
    [conv('a', {}), { name: 'soft', op: 'softplus', attributes: { beta: 3, threshold: 1.5 } }],
  ),
  odd(
    'sparse',
    [3, 13, 12],
    [
      conv('a', { stride: [1, 2], dilation: [2, 1], padding: 'same' }),
      {
        name: 'pool',
        op: 'max_pool',
        attributes: { kernelSize: [3, 3], stride: [1, 1], dilation: [2, 2], padding: [2, 2] },
      },
    ],
  ),
  odd('depthwise', [3, 9, 9], [conv('a', { groups: 3, dilation: [2, 1] })]),
  odd(
    'twice',
    [1, 6, 6],
    [
      conv('a', {}),
      { name: 'cat', op: 'concat', inputs: ['a', 'a'] },
      conv('b', { padding: [1, 1] }, ['a']),
      { name: 'sum', op: 'add', inputs: ['b', 'b', 'a'] },
      { name: 'all', op: 'concat', inputs: ['sum', 'cat'] },
    ],
  ),
  odd('activations', [1, 6, 6], [conv('a', { outChannels: 4 }), ...ACTIVATIONS]),
];
