/** Compares every layer of a network with float64, while its run continues to train. */
import { expect, test } from 'vitest';
import { elements } from '../base/shape.ts';
import { Readback } from '../gpu/readback.ts';
import { INPUT, IMAGES, type Layer } from './graph.ts';
import { overviewChannels, Inspector } from './inspect.ts';
import { inferShapes, layoutParameters, type LayerShape } from './network.ts';
import { addForward } from './ops/add/reference.ts';
import { batchNormForward } from './ops/batch_norm/reference.ts';
import { concatForward } from './ops/concat/reference.ts';
import { problemOf, type ConvAttributes } from './ops/conv/index.ts';
import { convFprop } from './ops/conv/reference.ts';
import { linearFprop } from './ops/linear/reference.ts';
import { maxPoolForward } from './ops/pooling/reference.ts';
import { poolProblem, type PoolAttributes } from './ops/pooling/geometry.ts';
import { reluForward } from './ops/relu/reference.ts';
import sgd from './optimizers/sgd.ts';
import { ParameterStore, type StateDict } from './parameters.ts';
import { typicalParameters } from './typical-parameters.ts';
import { expectClose } from './testing/check.ts';
import { normals } from './testing/fixtures.ts';
import { testDevice } from './testing/gpu.ts';

const INPUT_SHAPE = [2, 9, 7];

const conv = (name: string, outChannels: number, size: number, rest: object = {}): Layer => ({
  name,
  op: 'conv',
  attributes: { outChannels, kernelSize: [size, size], padding: [size >> 1, size >> 1], ...rest },
});

/** A residual block, a concatenation, a ReLU that can be fused and one that cannot, groups and a stride. */
const layers: Layer[] = [
  conv('conv1', 4, 3),
  { name: 'relu1', op: 'relu' },
  conv('conv2', 4, 3, { bias: false, groups: 2 }),
  { name: 'bn2', op: 'batch_norm' },
  { name: 'sum', op: 'add', inputs: ['bn2', 'relu1'] },
  { name: 'relu2', op: 'relu' },
  { ...conv('conv3', 3, 5, { stride: [2, 1] }), inputs: ['relu2'] },
  { ...conv('conv4', 2, 1, { stride: [2, 1] }), inputs: [INPUT] },
  { name: 'both', op: 'concat', inputs: ['conv3', 'conv4'] },
  { name: 'relu3', op: 'relu' },
  { name: 'pool', op: 'max_pool', attributes: { kernelSize: [2, 2] } },
  { name: 'flatten', op: 'flatten' },
  { name: 'fc', op: 'linear', attributes: { outFeatures: 5 } },
];

/** Every layer's output, in float64, from the references of its ops. */
function references(shapes: readonly LayerShape[], x: ArrayLike<number>, state: StateDict): Float64Array[] {
  const outputs: Float64Array[] = [];
  for (const { layer, op, sources, input, inputs } of shapes) {
    const taken = sources.map((source) => (source === IMAGES ? Float64Array.from(x) : outputs[source]));
    const [first] = taken;
    const own = (name: string) => state.get(`${layer.name}.${name}`)?.data;
    const attributes = (layer.attributes ?? {}) as unknown;
    outputs.push(
      {
        conv: () =>
          convFprop(problemOf(attributes as ConvAttributes, input), first, own('weight')!, own('bias')),
        relu: () => reluForward(first),
        add: () => addForward(...taken),
        concat: () => concatForward(taken, inputs.map(elements)),
        max_pool: () => maxPoolForward(poolProblem('max_pool', attributes as PoolAttributes, input), first).y,
        flatten: () => first,
        linear: () =>
          linearFprop({ N: 1, inFeatures: first.length, outFeatures: 5 }, first, own('weight')!, own('bias')),
        batch_norm: () =>
          batchNormForward(
            { N: 1, C: input[1], plane: input[2] * input[3], eps: 1e-5 },
            {
              mean: Float64Array.from(own('running_mean')!),
              variance: Float64Array.from(own('running_var')!),
            },
            ...([first, own('weight')!, own('bias')!] as const),
          ),
      }[op.name]!(),
    );
  }
  return outputs;
}

test('every layer, its overview, the filters and single pixels equal those of float64', async () => {
  const device = await testDevice();
  const before = device.ledger.buffers;
  const shapes = inferShapes(layers, [1, ...INPUT_SHAPE]);
  const state = typicalParameters(layers, [1, ...INPUT_SHAPE]);
  const store = await ParameterStore.create(device, layoutParameters(shapes), sgd);
  const readback = new Readback(device);
  const inspector = await Inspector.create(
    device,
    { layers, input: INPUT_SHAPE, ...store.forInference },
    readback,
  );
  store.load(state);
  const x = normals(9, INPUT_SHAPE).data;
  inspector.look(x);
  // The run continues: the inspected values do not change.
  store.initialize(7);

  const expected = references(shapes, x, state);
  expect(await inspector.output(IMAGES)).toEqual(x);
  const overviews = await inspector.overviews();
  expect(overviews.images).toEqual(x);
  for (const [i, { layer, output }] of shapes.entries()) {
    const found = await inspector.output(i);
    expectClose(layer.name, found, expected[i], 2e-6);
    const shown = overviewChannels(output) * elements(output.slice(2));
    expect(overviews.layers[i]).toEqual(found.slice(0, shown));
  }
  // Values reported as before a ReLU have not passed through it.
  for (const name of ['conv1', 'sum', 'both']) {
    const i = layers.findIndex((layer) => layer.name === name);
    expect(Math.min(...(await inspector.output(i))), name).toBeLessThan(0);
    expect(await inspector.output(i + 1)).toEqual((await inspector.output(i)).map((v) => Math.max(v, 0)));
  }

  const conv2 = 2;
  expect(await inspector.filters(conv2)).toEqual({ weights: state.get('conv2.weight')!.data });
  expect((await inspector.filters(0)).bias).toEqual(state.get('conv1.bias')!.data);
  for (const [i, { op, output }] of shapes.entries()) {
    if (op.name !== 'conv') {
      expect(inspector.problem(i)).toBeUndefined();
      continue;
    }
    const [, K, P, Q] = output;
    for (const at of [
      { k: 0, p: 0, q: 0 },
      { k: K - 1, p: P - 1, q: Q - 1 },
      { k: 1, p: P >> 1, q: Q >> 1 },
    ]) {
      const pixel = await inspector.pixel(i, at);
      expect(pixel.network).toBe((await inspector.output(i))[(at.k * P + at.p) * Q + at.q]);
      expect(pixel.error).toBeLessThan(1e-6);
      expect(Math.abs(pixel.sum - expected[i][(at.k * P + at.p) * Q + at.q])).toBeLessThan(1e-5);
    }
  }

  // The next inspection uses the parameters of that time.
  inspector.look(x);
  const { weights } = await inspector.filters(0);
  expect(weights).not.toEqual(state.get('conv1.weight')!.data);
  inspector.destroy();
  store.destroy();
  readback.destroy();
  expect(device.ledger.buffers).toBe(before);
  expect(device.uncaught).toEqual([]);
});
