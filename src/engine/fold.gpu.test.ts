import { afterAll, describe, expect, test } from 'vitest';
import { foldBatchNorm } from './fold.ts';
import { ForwardPass } from './forward-pass.ts';
import type { Layer } from './network.ts';
import { typicalParameters } from './typical-parameters.ts';
import { expectClose } from './testing/check.ts';
import { normals } from './testing/fixtures.ts';
import { testDevice } from './testing/gpu.ts';

const device = await testDevice();
afterAll(() => {
  expect(device.uncaught).toEqual([]);
  expect(device.ledger.buffers).toBe(0);
});

const conv = (name: string, more: object = {}, inputs?: string[]): Layer => ({
  name,
  op: 'conv',
  attributes: { outChannels: 4, kernelSize: [3, 3], padding: [1, 1], ...more },
  ...(inputs ? { inputs } : {}),
});
const norm = (name: string, inputs?: string[]): Layer => ({
  name,
  op: 'batch_norm',
  attributes: { eps: 0.01 },
  ...(inputs ? { inputs } : {}),
});
const END: Layer[] = [
  { name: 'flatten', op: 'flatten' },
  { name: 'fc', op: 'linear', attributes: { outFeatures: 3 } },
];

test('by hand', () => {
  const layers: Layer[] = [conv('c', { outChannels: 2, kernelSize: [1, 1], padding: [0, 0] }), norm('n')];
  const { parameters, ...rest } = foldBatchNorm(
    layers,
    [1, 1, 2, 2],
    new Map([
      ['c.weight', { shape: [2, 1, 1, 1], data: Float32Array.of(3, 5) }],
      ['c.bias', { shape: [2], data: Float32Array.of(1, 2) }],
      ['n.weight', { shape: [2], data: Float32Array.of(2, 10) }],
      ['n.bias', { shape: [2], data: Float32Array.of(0.5, -1) }],
      ['n.running_mean', { shape: [2], data: Float32Array.of(4, 0) }],
      ['n.running_var', { shape: [2], data: Float32Array.of(15.99, 3.99) }],
      ['n.num_batches_tracked', { shape: [], data: Float32Array.of(9) }],
    ]),
  );
  const attributes = { outChannels: 2, kernelSize: [1, 1], padding: [0, 0], bias: true };
  expect(rest).toEqual({ layers: [{ name: 'c', op: 'conv', attributes }], folded: ['n'] });
  expect([...parameters.keys()]).toEqual(['c.weight', 'c.bias']);
  const [w, b] = [...parameters.values()].map(({ data }) => [...data]);
  [1.5, 25].forEach((value, i) => expect(w[i]).toBeCloseTo(value, 5));
  [-1, 9].forEach((value, i) => expect(b[i]).toBeCloseTo(value, 5));
});

describe('the same outputs', () => {
  test.each<{ name: string; layers: Layer[]; folded: string[] }>([
    {
      name: 'a residual block, without and with a bias',
      layers: [
        ...[conv('c1', { bias: false }), norm('n1'), { name: 'r1', op: 'relu' }, conv('c2'), norm('n2')],
        conv('short', { kernelSize: [1, 1], padding: [0, 0], bias: false }, ['r1']),
        norm('n3'),
        { name: 'add', op: 'add', inputs: ['n2', 'n3'] },
        ...[{ name: 'r2', op: 'relu' }, ...END],
      ],
      folded: ['n1', 'n2', 'n3'],
    },
    {
      name: 'groups, and a linear layer',
      layers: [conv('c1'), conv('c2', { groups: 4 }), norm('n1'), ...END, norm('n2')],
      folded: ['n1', 'n2'],
    },
    {
      name: 'of two in a row the first',
      layers: [conv('c1'), norm('n1'), norm('n2'), ...END],
      folded: ['n1'],
    },
    {
      name: 'not where others take the convolution, or there is none',
      layers: [
        ...[norm('n0'), { name: 'r0', op: 'relu' }, conv('c1'), norm('n1')],
        ...[{ name: 'add', op: 'add', inputs: ['n1', 'c1'] }, ...END],
      ],
      folded: [],
    },
    {
      name: 'layers that do not follow each other in the list',
      layers: [
        ...[conv('c1'), conv('c2', {}, ['input']), norm('n1', ['c1']), norm('n2', ['c2'])],
        ...[{ name: 'concat', op: 'concat', inputs: ['n1', 'n2'] }, ...END],
      ],
      folded: ['n1', 'n2'],
    },
  ])('$name', async ({ layers, folded }) => {
    const input = [3, 2, 6, 6];
    const parameters = typicalParameters(layers, input);
    const before = new Map([...parameters].map(([name, { data }]) => [name, data.slice()]));
    const plain = { layers, parameters };
    const result = foldBatchNorm(layers, input, parameters);
    expect(result.folded).toEqual(folded);
    expect(result.layers).toHaveLength(layers.length - folded.length);
    for (const [name, { data }] of parameters) expect(data).toEqual(before.get(name));
    const images = normals(7, input).data;
    const [wanted, found] = [await answer(plain), await answer(result)];
    expectClose('answers', found, wanted, 2e-6);

    async function answer(network: typeof plain) {
      const predictor = await ForwardPass.load(device, { ...network, input });
      const logits = await predictor.logits(images);
      predictor.destroy();
      return logits;
    }
  });
});
