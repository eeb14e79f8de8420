/** The reference's gradients against central differences of its own loss; one of each kind of layer. */
import { expect, test } from 'vitest';
import { Random } from '../../base/random.ts';
import { elements } from '../../base/shape.ts';
import type { Layer } from '../graph.ts';
import { inferShapes, layoutParameters } from '../network.ts';
import { ops } from '../ops/registry.ts';
import { referenceFlop, referenceStep } from './network.ts';
import { REFERENCES } from './registry.ts';

const conv = (name: string, outChannels: number, more: object = {}): Layer => ({
  name,
  op: 'conv',
  attributes: { outChannels, kernelSize: [3, 3], padding: [1, 1] },
  ...more,
});

const layers: Layer[] = [
  conv('stem', 4),
  { name: 'bn', op: 'batch_norm' },
  { name: 'relu', op: 'relu' },
  conv('left', 4, { inputs: ['relu'] }),
  { name: 'gelu', op: 'gelu' },
  { name: 'sum', op: 'add', inputs: ['gelu', 'relu'] },
  { name: 'silu', op: 'silu', inputs: ['relu'] },
  { name: 'both', op: 'concat', inputs: ['sum', 'silu'] },
  { name: 'maxout', op: 'maxout', attributes: { pieces: 2 } },
  { name: 'max', op: 'max_pool', attributes: { kernelSize: [2, 2] } },
  { name: 'avg', op: 'avg_pool', attributes: { kernelSize: [2, 2], stride: [1, 1], padding: [1, 1] } },
  { name: 'adaptive', op: 'adaptive_avg_pool', attributes: { outputSize: [2, 2] } },
  { name: 'adaptive_max', op: 'adaptive_max_pool', attributes: { outputSize: [2, 1] } },
  { name: 'elu', op: 'elu' },
  { name: 'tanh', op: 'tanh' },
  { name: 'leaky', op: 'leaky_relu' },
  { name: 'softplus', op: 'softplus' },
  { name: 'sigmoid', op: 'sigmoid' },
  { name: 'flatten', op: 'flatten' },
  { name: 'dropout', op: 'dropout', attributes: { p: 0 } },
  { name: 'fc', op: 'linear', attributes: { outFeatures: 3 } },
  { name: 'scale', op: 'scale', attributes: { factor: 0.3 } },
];

test('gradients are the slopes of the loss', () => {
  const shape = [3, 2, 6, 6];
  const random = new Random(5, 'reference');
  const normals = (count: number) => Float64Array.from({ length: count }, () => random.normal());
  const batch = { shape, x: normals(elements(shape)), labels: Uint32Array.from([0, 2, 1]) };
  const { entries } = layoutParameters(inferShapes(layers, shape));
  const numbers = new Map(entries.map(({ name, length }) => [name, normals(length)]));
  const of = (name: string) => numbers.get(name) ?? [];
  const { gradients } = referenceStep(layers, batch, of);
  expect([...gradients.keys()].sort()).toEqual(entries.map(({ name }) => name).sort());
  for (const { name, length } of entries) {
    const values = numbers.get(name) ?? new Float64Array();
    for (let probe = 0; probe < 3; probe++) {
      const i = random.below(length);
      const kept = values[i];
      const [above, below] = [1e-6, -1e-6].map((change) => {
        values[i] = kept + change;
        return referenceStep(layers, batch, of).loss;
      });
      values[i] = kept;
      const slope = (above - below) / 2e-6;
      expect(Math.abs((gradients.get(name)?.[i] ?? NaN) - slope), `${name}[${i}]`).toBeLessThan(1e-6);
    }
  }
});

test('every op has a reference', () => {
  expect(Object.keys(REFERENCES).sort()).toEqual(ops.names());
});

test('operations of a step: forward and both gradients', () => {
  const small: Layer[] = [
    conv('c', 2),
    { name: 'f', op: 'flatten' },
    layers.find(({ name }) => name === 'fc') as Layer,
  ];
  expect(referenceFlop(small, [2, 1, 4, 4])).toBe(3 * (2 * 2 * 2 * 16 * 9) + 6 * 2 * 32 * 3);
});
