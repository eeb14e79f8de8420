import { expect, test } from 'vitest';
import { NO_AUGMENTATION } from '../base/augmentation.ts';
import { gatherReference } from './gather/reference.ts';
import type { Layer } from './network.ts';
import sgd from './optimizers/rules/sgd.ts';
import { expectClose } from './testing/check.ts';
import { normals } from './testing/fixtures.ts';
import { testDevice } from './testing/gpu.ts';
import { Trainer } from './trainer.ts';

const INPUT = [3, 6, 6];
const SIZE = 108;
const COUNT = 20;
const layers: Layer[] = [
  { name: 'flatten', op: 'flatten' },
  { name: 'fc', op: 'linear', attributes: { outFeatures: 4 } },
];
const train = {
  images: Uint8Array.from(normals(1, [COUNT * SIZE]).data, (v) => 128 + 40 * v),
  labels: Uint8Array.from({ length: COUNT }, (_, i) => i % 4),
  count: COUNT,
};
const normalisation = { mean: [0.5, 0.4, 0.3], std: [0.25, 0.2, 0.3] };

test.each([
  ['as they are', NO_AUGMENTATION],
  ['augmented and blended', { ...NO_AUGMENTATION, crop: 2, flip: 1, cutout: 3, mixup: 0.4 }],
])('the batch of the last step, %s', async (_, augmentation) => {
  const device = await testDevice();
  const before = device.ledger.buffers;
  const trainer = await Trainer.create(device, {
    layers,
    input: INPUT,
    classes: 4,
    batchSize: 8,
    optimizer: sgd,
    settings: sgd.defaults,
    normalisation,
    train,
  });
  trainer.parameters.initialize(1);
  expect(await trainer.seenBatch()).toBeUndefined();
  const step = (first: number) => ({
    ...sgd.stepFields(1, sgd.defaults),
    ...augmentation,
    ...(augmentation.mixup > 0 ? { mix: 0.7 } : {}),
    seed: 77 + first,
    indices: Uint32Array.from({ length: 8 }, (__, i) => first + i),
  });
  trainer.submit([step(0), step(5)]);
  const seen = (await trainer.seenBatch())!;
  seen.copy();
  expect([...trainer.last!.indices]).toEqual([5, 6, 7, 8, 9, 10, 11, 12]);
  // Later training does not change the copy.
  trainer.submit([step(9)]);
  const { images, labels, partners } = await seen.read(2, 3);
  const seeded = { augmentation, seed: 82, mix: augmentation.mixup > 0 ? 0.7 : 1 };
  const { mean, std } = normalisation;
  const whole = gatherReference(
    { images: train.images, shape: INPUT, mean, std },
    [...step(5).indices],
    seeded,
  );
  expectClose('images', images, whole.slice(2 * SIZE, 5 * SIZE), 1e-6);
  expect([...labels]).toEqual([7 % 4, 8 % 4, 9 % 4]);
  if (augmentation.mixup === 0) expect(partners).toEqual(labels);
  else expect(partners).not.toEqual(labels);
  const evaluation = (await trainer.evaluate('train'))!;
  for (const [i, confidence] of evaluation.confidences.entries()) {
    // For a correct prediction, the loss gives the confidence too.
    if (evaluation.predictions[i] === train.labels[i]) {
      expect(confidence).toBeCloseTo(Math.exp(-evaluation.losses[i]), 5);
    } else expect(confidence).toBeGreaterThan(Math.exp(-evaluation.losses[i]));
  }
  trainer.destroy();
  await device.idle();
  expect(device.ledger.buffers).toBe(before);
});
