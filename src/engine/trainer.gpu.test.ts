import { expect, test } from 'vitest';
import sgd from './optimizers/rules/sgd.ts';
import { testDevice } from './testing/gpu.ts';
import { Trainer } from './trainer.ts';

test('parameters are set while the kernels of the step compile', async () => {
  const device = await testDevice();
  const { raw } = device;
  const asked = new Set<Promise<GPUComputePipeline>>();
  // No kernel is ready until parameters were asked for: what waits for one first never returns.
  let release = () => {};
  const released = new Promise<void>((done) => (release = done));
  const create = raw.createComputePipelineAsync.bind(raw);
  raw.createComputePipelineAsync = (descriptor) => {
    const making = released.then(() => create(descriptor));
    asked.add(making);
    return making;
  };
  let atStart = 0;
  const trainer = await Trainer.create(device, {
    layers: [
      { name: 'flatten', op: 'flatten' },
      { name: 'fc', op: 'linear', attributes: { outFeatures: 3 } },
    ],
    input: [1, 4, 4],
    classes: 3,
    batchSize: 2,
    optimizer: sgd,
    settings: sgd.defaults,
    normalisation: { mean: [0], std: [1] },
    train: { images: new Uint8Array(32), labels: new Uint8Array(2), count: 2 },
    start: (parameters) => {
      atStart = asked.size;
      parameters.initialize(1);
      release();
      return Promise.resolve();
    },
  });
  raw.createComputePipelineAsync = create;
  const kernels = new Set(trainer.plan.dispatches.map(({ kernel }) => kernel));
  expect(atStart).toBe(kernels.size);
  const { data } = (await trainer.parameters.stateDict(trainer.readback)).get('fc.weight') ?? {};
  expect(data?.every((value) => value !== 0)).toBe(true);
  trainer.destroy();
});
