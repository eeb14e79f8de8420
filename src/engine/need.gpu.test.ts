import { expect, test } from 'vitest';
import { Random } from '../base/random.ts';
import { elements } from '../base/shape.ts';
import { models } from '../models/index.ts';
import { memoryNeed } from './need.ts';
import { optimizers } from './optimizers/registry.ts';
import { testDevice } from './testing/gpu.ts';
import { Trainer, type TrainerOptions } from './trainer.ts';

function optionsOf(name: string, batchSize: number, optimizerName: string): TrainerOptions {
  const { layers, input, classes } = models.get(name);
  const optimizer = optimizers.get(optimizerName);
  const random = new Random(1, 'need');
  const repeat = (value: number) => new Array<number>(input[0]).fill(value);
  const set = (count: number) => ({
    images: Uint8Array.from({ length: count * elements(input) }, () => random.below(256)),
    labels: Uint8Array.from({ length: count }, () => random.below(classes)),
    count,
  });
  return {
    ...{ layers, input, classes, batchSize, optimizer, train: set(21), test: set(7) },
    settings: { ...optimizer.defaults, lr: 0.01, momentum: optimizerName === 'sgd' ? 0.9 : 0 },
    normalisation: { mean: repeat(0.5), std: repeat(0.25) },
    clipNorm: 1,
  };
}

test.each([
  ['lenet5', 16, 'adam'],
  ['resnet8', 4, 'sgd'],
])('%s with batches of %i and %s: foretold to the byte', async (name, batchSize, optimizer) => {
  const device = await testDevice();
  const options = optionsOf(name, batchSize, optimizer);
  const before = { buffers: device.ledger.made, pipelines: device.kernels.made };
  const need = await memoryNeed(device, options);
  expect({ buffers: device.ledger.made, pipelines: device.kernels.made }).toEqual(before);

  const trainer = await Trainer.create(device, options);
  try {
    trainer.parameters.initialize(1);
    trainer.submit([{ indices: Uint32Array.from({ length: batchSize }, (_, i) => i % 21) }]);
    await trainer.readMetrics(1);
    await trainer.evaluate('test');
    await trainer.parameters.snapshot(trainer.readback);
    expect(need.bytes).toBe(device.ledger.bytes);
    expect(Object.values(need.kinds).reduce((a, b) => a + b)).toBe(need.bytes);
    const bytesOf = (label: RegExp) =>
      device.ledger.entries
        .filter((entry) => label.test(entry.label))
        .reduce((sum, { bytes }) => sum + bytes, 0);
    expect(need.kinds).toMatchObject({
      parameters: bytesOf(/^parameters$/),
      gradients: bytesOf(/^gradients$/),
      buffers: bytesOf(/^buffers$/),
      activations: bytesOf(/^step activations \d+$/),
      data: bytesOf(/^(train|test) (images|labels|channels)$/),
    });
    expect(need.kinds.states).toBe(need.kinds.parameters * options.optimizer.states.length);
    expect(need.kinds.activations).toBeGreaterThan(0);
  } finally {
    trainer.destroy();
  }
  await device.idle();
  expect(device.ledger.bytes).toBe(0);
});
