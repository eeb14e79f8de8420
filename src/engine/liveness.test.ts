import { expect, test } from 'vitest';
import { readInterface } from '../gpu/interface.ts';
import type { Tensor } from './dispatch.ts';
import { livenessOf } from './liveness.ts';

const SHADER = `
@group(0) @binding(0) var<storage, read> x: array<f32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
`;

const tensor = (label: string): Tensor => {
  const storage = { label, bytes: 4 };
  return { label, shape: [1], type: 'f32', storage };
};

/** y = f(x), in order. */
const chain = (...steps: readonly (readonly [x: Tensor, y: Tensor])[]) =>
  steps.map(([x, y], i) => ({
    spec: { label: `step ${i}`, kernel: { shader: 'f' }, tensors: { x, y }, workgroups: [1, 1, 1] as const },
    kernel: { interface: readInterface('f', SHADER) },
  }));

test('tensors live from their first dispatch to their last; what one reads and writes is apart, both ways', () => {
  const [a, b, c] = ['a', 'b', 'c'].map(tensor);
  const { storages, lifetimes, apart } = livenessOf(chain([a, b], [b, c], [a, c]), new Set());
  expect(storages).toEqual([a, b, c].map((one) => one.storage));
  expect(lifetimes.map(({ first, last }) => [first, last])).toEqual([
    [0, 2],
    [0, 1],
    [1, 2],
  ]);
  expect(apart.map((others) => [...others].sort())).toEqual([
    [1, 2],
    [0, 2],
    [0, 1],
  ]);
});

test('what is kept lives until the next run', () => {
  const [a, b, c] = ['a', 'b', 'c'].map(tensor);
  const { lifetimes } = livenessOf(chain([a, b], [b, c]), new Set([b.storage]));
  expect(lifetimes[1]).toMatchObject({ first: 0, last: 2 });
});

test('one tensor cannot be read and written through two bindings', () => {
  const a = tensor('a');
  expect(() => livenessOf(chain([a, a]), new Set())).toThrow('step 0 reads and writes one tensor');
});
