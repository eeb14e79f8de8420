import { expect, test } from 'vitest';
import { elements } from '../base/shape.ts';
import sgd from '../engine/optimizers/rules/sgd.ts';
import { testDevice } from '../engine/testing/gpu.ts';
import { Trainer } from '../engine/trainer.ts';
import lenet5 from './lenet5.ts';

test('a step has no unnecessary dispatch', async () => {
  const count = 16;
  const trainer = await Trainer.create(await testDevice(), {
    layers: lenet5.layers,
    input: lenet5.input,
    classes: lenet5.classes,
    batchSize: count,
    optimizer: sgd,
    settings: sgd.defaults,
    normalisation: { mean: [0], std: [1] },
    train: { images: new Uint8Array(count * elements(lenet5.input)), labels: new Uint8Array(count), count },
  });
  // Whether sums have second passes depends on the adapter; they may share one.
  const secondPass = / sum( and \d+ more)?$/;
  const labels = trainer.plan.dispatches.map(({ label }) => label).filter((label) => !secondPass.test(label));
  trainer.destroy();
  expect(labels).toEqual([
    ...['gather batch', 'conv1 fprop', 'pool1', 'conv2 fprop', 'pool2'],
    ...['fc1 fprop', 'fc2 fprop', 'fc3 fprop', 'softmax cross-entropy', 'metrics'],
    ...['fc3 wgrad', 'fc3 dgrad', 'fc2 wgrad', 'fc2 dgrad', 'fc1 wgrad', 'fc1 dgrad'],
    ...['pool2 backward', 'conv2 wgrad', 'conv2 dgrad', 'pool1 backward', 'conv1 wgrad', 'sgd'],
  ]);
});
