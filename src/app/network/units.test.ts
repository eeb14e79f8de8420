import { expect, test } from 'vitest';
import type { LookLayer } from '../../worker/api.ts';
import { jumpsOf, stagesOf, unitsOf } from './units.ts';

/** Of ops that change more than single values; a window's sizes do not matter here. */
const READS: Readonly<Record<string, 'all' | 'flatten' | 'concat'>> = {
  conv: 'all',
  max_pool: 'all',
  linear: 'all',
  flatten: 'flatten',
  concat: 'concat',
};

/** "conv1 conv 4x8x8" after the layer before it, or "add1 add 4x8x8 bn2,relu1" */
function network(...lines: string[]): LookLayer[] {
  let before = '';
  return lines.map((line) => {
    const [name, op, shape, takes] = line.split(' ');
    const layer: LookLayer = {
      name,
      op,
      title: op,
      takes: takes?.split(',') ?? (before === '' ? [] : [before]),
      shape: shape.split('x').map(Number),
      overviewChannels: 4,
      reads: { kind: READS[op] ?? 'same' },
      settings: [],
      parameters: 0,
    };
    before = name;
    return layer;
  });
}

const lenet = network(
  'input input 1x28x28',
  'conv1 conv 6x28x28',
  'relu1 relu 6x28x28',
  'pool1 max_pool 6x14x14',
  'flatten flatten 1176',
  'fc1 linear 84',
  'relu2 relu 84',
  'fc2 linear 10',
);

test('what changes values one by one shares a column with the layer before it', () => {
  const units = unitsOf(lenet);
  expect(units.map(({ layers, shown }) => [layers.map(({ name }) => name).join('+'), shown.name])).toEqual([
    ['input', 'input'],
    ['conv1+relu1', 'relu1'],
    // A vector would hide the maps that it came from.
    ['pool1+flatten', 'pool1'],
    ['fc1+relu2', 'relu2'],
    ['fc2', 'fc2'],
  ]);
  expect(jumpsOf(units)).toEqual([]);
});

const block = (name: string, input: string, shape: string) => [
  `${name}.conv1 conv ${shape} ${input}`,
  `${name}.bn1 batch_norm ${shape}`,
  `${name}.relu1 relu ${shape}`,
  `${name}.conv2 conv ${shape}`,
  `${name}.bn2 batch_norm ${shape}`,
  `${name}.add add ${shape} ${name}.bn2,${input}`,
  `${name}.relu2 relu ${shape}`,
];

const residual = network(
  'input input 3x32x32',
  'conv conv 8x32x32',
  ...block('a', 'conv', '8x32x32'),
  ...block('b', 'a.relu2', '8x32x32'),
  'pool max_pool 8x16x16',
  ...block('c', 'pool', '8x16x16'),
  ...block('d', 'c.relu2', '8x16x16'),
  'flatten flatten 2048',
  'fc linear 10',
);

test('skip connections are jumps; a layer that several read keeps its own column', () => {
  const units = unitsOf(residual);
  expect(jumpsOf(units)).toEqual([
    { from: 'conv', to: 'a.add' },
    { from: 'a.add', to: 'b.add' },
    { from: 'pool', to: 'c.add' },
    { from: 'c.add', to: 'd.add' },
  ]);
  // The ReLU after a layer that others read, too, does not hide it.
  const shared = unitsOf(
    network('input input 1x8x8', 'conv conv 2x8x8', 'relu relu 2x8x8', 'sum add 2x8x8 relu,conv'),
  );
  expect(shared.map(({ layers }) => layers.length)).toEqual([1, 1, 1, 1]);
});

test('stages have maps of one size; they fold where a network has many columns', () => {
  expect(stagesOf(unitsOf(lenet)).some(({ folds }) => folds)).toBe(false);
  const stages = stagesOf(unitsOf(residual));
  expect(stages.map(({ title, units, folds }) => [title, units.length, folds])).toEqual([
    ['32 × 32', 1, false],
    ['32 × 32', 7, true],
    ['16 × 16', 7, true],
    ['vector', 1, false],
  ]);
  expect(stages[1].units.at(-1)?.shown.name).toBe('b.relu2');
});
