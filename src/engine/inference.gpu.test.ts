/** The forward-only path on the awkward sizes of convolution and pooling, from bytes to logits, against float64. */
import { afterAll, expect, test } from 'vitest';
import { elements, type Shape } from '../base/shape.ts';
import { Inference } from './inference.ts';
import { inferShapes, type Layer } from './network.ts';
import { expectClose } from './testing/check.ts';
import { testDevice } from './testing/gpu.ts';
import { referenceOutputs } from './testing/inference.ts';
import { CONV_PROBLEMS, POOL_PROBLEMS } from './testing/problems.ts';
import { typicalParameters } from './typical-parameters.ts';

const device = await testDevice();
afterAll(() => {
  expect(device.uncaught).toEqual([]);
  expect(device.ledger.buffers).toBe(0);
});

interface TestNetwork {
  name: string;
  input: Shape;
  layers: Layer[];
}

const END: Layer = { name: 'flatten', op: 'flatten' };

const convolutions = CONV_PROBLEMS.map(({ name, problem }): TestNetwork => {
  const { C, H, W, K, R, S, stride, padding, dilation, groups } = problem;
  const attributes = { outChannels: K, kernelSize: [R, S], stride, padding, dilation, groups };
  return {
    name,
    input: [C, H, W],
    layers: [{ name: 'conv', op: 'conv', attributes }, { name: 'relu', op: 'relu' }, END],
  };
});

const poolings = POOL_PROBLEMS.flatMap(({ name, attributes, problem: { C, H, W } }) =>
  ['max_pool', 'avg_pool'].map((op): TestNetwork => ({
    name: `${op}, ${name}`,
    input: [C, H, W],
    layers: [{ name: 'pool', op, attributes: { ...attributes } }, END],
  })),
);

/** SwiftShader compiles slowly, and each kernel has tests of its own there. */
const ON_SWIFTSHADER = ['groups', 'same, stride 2', 'four paddings, strides, dilations'];
const networks = [...convolutions, ...poolings].filter(
  ({ name }) => !device.adapter.software || ON_SWIFTSHADER.includes(name),
);

/** Batches of two: the last one is partial. */
const [COUNT, BATCH] = [5, 2];

test.each(networks)('$name', async ({ input, layers }) => {
  const [C] = input;
  const normalisation = {
    mean: Array.from({ length: C }, (_, c) => 0.3 + c / 500),
    std: Array.from({ length: C }, (_, c) => 0.2 + c / 400),
  };
  const size = elements(input);
  const images = Uint8Array.from({ length: COUNT * size }, (_, i) => (i * 97) ^ (i >> 3));
  const parameters = typicalParameters(layers, [COUNT, ...input]);
  const options = { layers, input, parameters, normalisation, batchSize: BATCH, count: COUNT };
  const inference = await Inference.load(device, options);
  try {
    const found = await inference.run(images);
    const x = Float64Array.from(images, (byte, i) => {
      const c = Math.floor((i % size) / (size / C));
      return (byte / 255 - normalisation.mean[c]) / normalisation.std[c];
    });
    const outputs = referenceOutputs(inferShapes(layers, [COUNT, ...input]), x, parameters);
    expect(inference.classes).toBe(outputs[0].length / COUNT);
    expectClose('logits', found!.logits, outputs[outputs.length - 1], 2e-6);
  } finally {
    inference.destroy();
  }
});
