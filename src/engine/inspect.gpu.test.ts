/** Compares every layer of a network with float64, while its run continues to train. */
import { expect, test } from 'vitest';
import { elements } from '../base/shape.ts';
import { Readback } from '../gpu/readback.ts';
import { INPUT, IMAGES, type Layer } from './graph.ts';
import { overviewChannels, Inspector } from './inspect.ts';
import { inferShapes, layoutParameters } from './network.ts';
import sgd from './optimizers/rules/sgd.ts';
import { ParameterStore } from './parameters.ts';
import { typicalParameters } from './typical-parameters.ts';
import { expectClose } from './testing/check.ts';
import { normals } from './testing/fixtures.ts';
import { testDevice } from './testing/gpu.ts';
import { referenceClassGradient, referenceOutputs } from './testing/inference.ts';

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

test('every layer, its overview, the filters and single pixels equal those of float64', async () => {
  const device = await testDevice();
  const before = device.ledger.buffers;
  const shapes = inferShapes(layers, [1, ...INPUT_SHAPE]);
  const state = typicalParameters(layers, [1, ...INPUT_SHAPE]);
  const store = await ParameterStore.create(device, layoutParameters(shapes), sgd);
  const readback = new Readback(device);
  const inspector = await Inspector.create(
    device,
    { layers: () => layers, input: INPUT_SHAPE, ...store.forInference },
    readback,
  );
  store.load(state);
  const x = normals(9, INPUT_SHAPE).data;
  inspector.look(x);
  // The run continues: the inspected values do not change.
  store.initialize(7);

  const expected = referenceOutputs(shapes, x, state);
  expect(await inspector.output(IMAGES)).toEqual(x);
  const [ofImage, ...overviews] = await inspector.overviews([IMAGES, ...shapes.keys()]);
  expect(ofImage).toEqual(x);
  expect(await inspector.overviews([shapes.length - 1])).toEqual(overviews.slice(-1));
  for (const [i, { layer, output }] of shapes.entries()) {
    const found = await inspector.output(i);
    expectClose(layer.name, found, expected[i], 2e-6);
    const shown = overviewChannels(output) * elements(output.slice(2));
    expect(overviews[i]).toEqual(found.slice(0, shown));
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

  // The gradient of a class's logit, through the whole network and from its end.
  for (const name of ['conv1', 'bn2', 'relu2', 'pool']) {
    const place = layers.findIndex((layer) => layer.name === name);
    const found = (await inspector.classGradient(place, 3))!;
    expect(found.shape).toEqual(shapes[place].output.slice(1));
    expectClose(name, found.values, referenceClassGradient(shapes, x, state, place, 3), 1e-5);
  }
  expect(await inspector.classGradient(11, 0)).toBeUndefined();

  // Several images at once: logits, and what the last layer with parameters reads.
  const images = normals(10, [70, ...INPUT_SHAPE]).data;
  const { logits, features } = await (await inspector.features()).features(images);
  const many = inferShapes(layers, [70, ...INPUT_SHAPE]);
  const outputs = referenceOutputs(many, images, state);
  expectClose('logits', logits, outputs[outputs.length - 1], 2e-6);
  expectClose('features', features, outputs[outputs.length - 2], 2e-6);

  // The next inspection uses the parameters of that time.
  inspector.look(x);
  const { weights } = await inspector.filters(0);
  expect(weights).not.toEqual(state.get('conv1.weight')!.data);
  inspector.destroy();
  store.destroy();
  readback.destroy();
  // What it made on request is freed a moment later.
  await Promise.resolve();
  expect(device.ledger.buffers).toBe(before);
  expect(device.uncaught).toEqual([]);
});
