import { expect, test } from 'vitest';
import type { LookLayer } from '../../worker/api.ts';
import { wholeOf, type ReadPattern, type ValueBox } from '../../ops/reads.ts';
import { receptiveField } from './receptive.ts';

const layer = (name: string, shape: number[], reads: ReadPattern, ...takes: string[]): LookLayer => ({
  name,
  op: '',
  title: '',
  takes,
  shape,
  overviewChannels: 1,
  reads,
  settings: [],
  parameters: 0,
});
const window = (size: number, stride = 1, padding = 0, more: object = {}): ReadPattern => ({
  kind: 'window',
  size: [size, size],
  stride: [stride, stride],
  start: [-padding, -padding],
  dilation: [1, 1],
  ...more,
});
const same: ReadPattern = { kind: 'same' };
const at = (k: number, p: number, q: number): ValueBox => ({
  channels: [k, k + 1],
  rows: [p, p + 1],
  columns: [q, q + 1],
});

const lenet = [
  layer('input', [1, 28, 28], same),
  layer('conv1', [6, 28, 28], window(5, 1, 2, { groups: 1 }), 'input'),
  layer('relu1', [6, 28, 28], same, 'conv1'),
  layer('pool1', [6, 14, 14], window(2, 2), 'relu1'),
  layer('conv2', [16, 10, 10], window(5, 1, 0, { groups: 1 }), 'pool1'),
  layer('pool2', [16, 5, 5], window(2, 2), 'conv2'),
  layer('flatten', [400], { kind: 'flatten' }, 'pool2'),
  layer('fc1', [120], { kind: 'all' }, 'flatten'),
];

test('windows widen towards the image, and stop at its edge', () => {
  const field = receptiveField(lenet, 'conv2', at(3, 4, 5));
  expect(field.get('pool1')).toEqual({ channels: [0, 6], rows: [4, 9], columns: [5, 10] });
  expect(field.get('relu1')).toEqual({ channels: [0, 6], rows: [8, 18], columns: [10, 20] });
  expect(field.get('input')).toEqual({ channels: [0, 1], rows: [6, 20], columns: [8, 22] });
  expect(field.get('conv2')).toEqual(at(3, 4, 5));
  expect(field.has('pool2')).toBe(false);
  const corner = receptiveField(lenet, 'conv1', at(0, 0, 27));
  expect(corner.get('input')).toEqual({ channels: [0, 1], rows: [0, 3], columns: [25, 28] });
});

test('pooling keeps the channel; a fully connected layer reads everything', () => {
  expect(receptiveField(lenet, 'pool1', at(2, 0, 0)).get('conv1')).toEqual({
    channels: [2, 3],
    rows: [0, 2],
    columns: [0, 2],
  });
  const all = receptiveField(lenet, 'fc1', at(7, 0, 0));
  for (const one of lenet.slice(0, -1)) expect(all.get(one.name), one.name).toEqual(wholeOf(one.shape));
});

test('a vector remembers where its values came from', () => {
  // Channel 3, row 2, column 4.
  expect(receptiveField(lenet, 'flatten', at(3 * 25 + 2 * 5 + 4, 0, 0)).get('pool2')).toEqual(at(3, 2, 4));
  const row = { channels: [25, 30], rows: [0, 1], columns: [0, 1] } as const;
  expect(receptiveField(lenet, 'flatten', row).get('pool2')).toEqual({
    channels: [1, 2],
    rows: [0, 1],
    columns: [0, 5],
  });
});

test('branches join in the smallest box around them; groups, concatenation, pieces and adaptive windows', () => {
  const branches = [
    layer('input', [2, 9, 9], same),
    layer('grouped', [4, 9, 9], window(3, 1, 1, { groups: 2 }), 'input'),
    layer('wide', [4, 9, 9], window(5, 1, 2, { groups: 1 }), 'input'),
    layer('sum', [4, 9, 9], same, 'grouped', 'wide'),
    layer('both', [8, 9, 9], { kind: 'concat' }, 'sum', 'wide'),
    layer('most', [4, 9, 9], { kind: 'pieces', pieces: 2 }, 'both'),
    layer('pool', [4, 2, 2], { kind: 'adaptive' }, 'most'),
  ];
  expect(receptiveField(branches, 'grouped', at(3, 4, 4)).get('input')).toEqual({
    channels: [1, 2],
    rows: [3, 6],
    columns: [3, 6],
  });
  const norm = layer('norm', [4, 9, 9], { kind: 'planes', groups: 2 }, 'grouped');
  expect(receptiveField([...branches.slice(0, 2), norm], 'norm', at(3, 4, 4)).get('grouped')).toEqual({
    channels: [2, 4],
    rows: [0, 9],
    columns: [0, 9],
  });
  expect(receptiveField(branches, 'sum', at(3, 4, 4)).get('input')).toEqual({
    channels: [0, 2],
    rows: [2, 7],
    columns: [2, 7],
  });
  const second = receptiveField(branches, 'both', at(5, 4, 4));
  expect(second.has('sum')).toBe(false);
  expect(second.get('wide')).toEqual(at(1, 4, 4));
  expect(receptiveField(branches, 'most', at(2, 4, 4)).get('both')).toEqual({
    channels: [4, 6],
    rows: [4, 5],
    columns: [4, 5],
  });
  expect(receptiveField(branches, 'pool', at(0, 1, 0)).get('most')).toEqual({
    channels: [0, 1],
    rows: [4, 9],
    columns: [0, 5],
  });
});

test('a border reads nothing, or what it mirrors', () => {
  const padded = (mirrors: boolean) => [
    layer('input', [2, 5, 6], same),
    layer('pad', [2, 9, 8], { kind: 'border', start: [-2, -1], mirrors }, 'input'),
    layer('conv', [1, 7, 6], window(3, 1, 0, { groups: 1 }), 'pad'),
  ];
  expect(receptiveField(padded(false), 'pad', at(1, 0, 4)).has('input')).toBe(false);
  expect(receptiveField(padded(true), 'pad', at(1, 0, 7)).get('input')).toEqual(at(1, 2, 4));
  const corner = (mirrors: boolean) => receptiveField(padded(mirrors), 'conv', at(0, 0, 0)).get('input');
  expect(corner(false)).toEqual({ channels: [0, 2], rows: [0, 1], columns: [0, 2] });
  expect(corner(true)).toEqual({ channels: [0, 2], rows: [0, 3], columns: [0, 2] });
});
