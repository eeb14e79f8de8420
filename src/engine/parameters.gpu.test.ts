import { afterAll, describe, expect, test } from 'vitest';
import { elements } from '../base/shape.ts';
import { Readback } from '../gpu/readback.ts';
import { inferShapes, layoutParameters, type Layer } from './network.ts';
import sgd from './optimizers/rules/sgd.ts';
import { ParameterStore, type StateDict } from './parameters.ts';
import { normals } from './testing/fixtures.ts';
import { testDevice } from './testing/gpu.ts';

const layers: Layer[] = [
  { name: 'conv1', op: 'conv', attributes: { outChannels: 3, kernelSize: [3, 3], bias: false } },
  { name: 'bn1', op: 'batch_norm' },
  { name: 'flatten', op: 'flatten' },
  { name: 'fc', op: 'linear', attributes: { outFeatures: 2 } },
];
const layout = layoutParameters(inferShapes(layers, [1, 1, 4, 4]));
const NAMES = [
  ...['conv1.weight', 'bn1.weight', 'bn1.bias', 'bn1.running_mean', 'bn1.running_var'],
  ...['bn1.num_batches_tracked', 'fc.weight', 'fc.bias'],
];

const device = await testDevice();
const store = await ParameterStore.create(device, layout, sgd);
const readback = new Readback(device);
afterAll(() => {
  store.destroy();
  readback.destroy();
});

const dict = (): Map<string, { shape: readonly number[]; data: Float32Array }> =>
  new Map(
    [...layout.entries, ...layout.buffers.entries].map(({ name, shape }, i) => [name, normals(i, shape)]),
  );
const plain = (state: StateDict) =>
  Object.fromEntries([...state].map(([name, { shape, data }]) => [name, { shape, data: [...data] }]));

test('buffers are no parameters: optimisers do not reach them', () => {
  expect(layout.count).toBe(27 + 3 + 3 + 24 + 2);
  expect(layout.entries.map(({ name }) => name)).toEqual(
    NAMES.filter((name) => !/running|tracked/.test(name)),
  );
  expect(elements(store.flat.parameters.shape)).toBe(layout.length);
});

test('initial values, under the names and in the order of PyTorch', async () => {
  store.initialize(1);
  const state = await store.stateDict(readback);
  expect([...state.keys()]).toEqual(NAMES);
  const numbers = (name: string) => [...(state.get(name)?.data ?? [])];
  expect(numbers('bn1.weight')).toEqual([1, 1, 1]);
  expect(numbers('bn1.bias')).toEqual([0, 0, 0]);
  expect(numbers('bn1.running_mean')).toEqual([0, 0, 0]);
  expect(numbers('bn1.running_var')).toEqual([1, 1, 1]);
  expect(state.get('bn1.num_batches_tracked')).toEqual({ shape: [], data: Float32Array.of(0) });
});

test('what is loaded is what is saved', async () => {
  store.load(dict());
  expect(plain(await store.stateDict(readback))).toEqual(plain(dict()));
});

test('num_batches_tracked may be missing', async () => {
  store.load(dict());
  const without = dict();
  without.delete('bn1.num_batches_tracked');
  store.load(without);
  const state = await store.stateDict(readback);
  expect(state.get('bn1.num_batches_tracked')?.data).toEqual(Float32Array.of(0));
});

test('a snapshot holds the buffers too', async () => {
  store.load(dict());
  const snapshot = await store.snapshot(readback);
  store.initialize(1);
  store.restore(snapshot);
  expect(plain(await store.stateDict(readback))).toEqual(plain(dict()));
});

test('a snapshot of another run is refused, and changes nothing', async () => {
  store.load(dict());
  const snapshot = await store.snapshot(readback);
  expect(Object.keys(snapshot)).toEqual(['parameters', 'buffers', 'momentum_buffer']);
  const { buffers, ...without } = snapshot;
  const shorter = { ...snapshot, parameters: snapshot.parameters.slice(1) };
  store.initialize(1);
  const before = plain(await store.stateDict(readback));
  expect(() => store.restore(without)).toThrow(/"buffers": expected \d+ values, found 0/);
  expect(() => store.restore(shorter)).toThrow(/"parameters": expected/);
  expect(() => store.restore({ ...snapshot, exp_avg: buffers })).toThrow(
    /state of this run is "parameters".* found "exp_avg"/,
  );
  expect(plain(await store.stateDict(readback))).toEqual(before);
});

describe('values that do not fit are refused, and nothing changes', () => {
  test.each<[string, (given: ReturnType<typeof dict>) => void, RegExp]>([
    ['no running mean', (given) => given.delete('bn1.running_mean'), /buffer "bn1.running_mean" is missing/],
    ['no weight', (given) => given.delete('fc.weight'), /parameter "fc.weight" is missing/],
    [
      'another shape',
      (given) => given.set('bn1.running_var', normals(1, [4])),
      /buffer "bn1.running_var": expected shape \[3\], found \[4\]/,
    ],
    ['another name', (given) => given.set('bn2.bias', normals(1, [3])), /no parameter "bn2.bias"/],
  ])('%s', async (_, change, message) => {
    store.load(dict());
    const given = dict();
    given.forEach(({ data }) => data.fill(7));
    change(given);
    expect(() => store.load(given)).toThrow(message);
    expect(plain(await store.stateDict(readback))).toEqual(plain(dict()));
  });
});
