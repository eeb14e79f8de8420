/** Models with batch normalisation predict the same after folding, with fewer dispatches. */
import { afterAll, expect, test } from 'vitest';
import { foldBatchNorm } from '../engine/fold.ts';
import { ForwardPass, type LoadedNetwork } from '../engine/forward-pass.ts';
import { inferShapes, layoutParameters } from '../engine/network.ts';
import { typicalParameters } from '../engine/typical-parameters.ts';
import { expectClose } from '../engine/testing/check.ts';
import { normals } from '../engine/testing/fixtures.ts';
import { testDevice } from '../engine/testing/gpu.ts';
import { models } from './index.ts';

const device = await testDevice();
afterAll(() => {
  expect(device.uncaught).toEqual([]);
  expect(device.ledger.buffers).toBe(0);
});

const normalised = models
  .all()
  .filter(({ layers }) => layers.some(({ op }) => op === 'batch_norm'))
  .map((model) => {
    const shapes = inferShapes(model.layers, [1, ...model.input]);
    return { model, name: model.name, shapes, count: layoutParameters(shapes).count };
  });

test.each(normalised)('$name has none left but behind pooling, and the same shapes', ({ model, shapes }) => {
  const input = [1, ...model.input];
  const { layers, parameters, folded } = foldBatchNorm(
    model.layers,
    input,
    typicalParameters(model.layers, input),
  );
  const pooled = shapes.filter(
    ({ op, sources: [source] }) => op.name === 'batch_norm' && shapes[source].op.name === 'max_pool',
  );
  expect(layers.filter(({ op }) => op === 'batch_norm')).toEqual(pooled.map(({ layer }) => layer));
  const rest = shapes.filter(({ layer }) => !folded.includes(layer.name));
  const left = inferShapes(layers, input);
  expect(left.map(({ output }) => output)).toEqual(rest.map(({ output }) => output));
  const { names } = layoutParameters(left);
  expect([...parameters.keys()].sort()).toEqual([...names].sort());
});

// On a software adapter, the kernels of the large models take minutes to compile.
test.each(normalised.filter(({ name, count }) => name.startsWith('resnet') && count < 1e6))(
  '$name answers the same',
  async ({ model }) => {
    const { layers } = model;
    const input = [1, ...model.input];
    const parameters = typicalParameters(layers, input);
    const images = normals(7, input).data;
    const folded = foldBatchNorm(layers, input, parameters);
    const [wanted, found] = [await answer({ layers, parameters }), await answer(folded)];
    expectClose('answers', found.logits, wanted.logits, 1e-5);
    expect(found.dispatches).toBe(wanted.dispatches - folded.folded.length);

    async function answer(network: Omit<LoadedNetwork, 'input'>) {
      const predictor = await ForwardPass.load(device, { ...network, input });
      const logits = await predictor.logits(images);
      const dispatches = predictor.plan.dispatches.length;
      predictor.destroy();
      return { logits, dispatches };
    }
  },
);
