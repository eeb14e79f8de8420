import { expect, test } from 'vitest';
import { DEFAULT_ALGORITHM } from '../engine/ops/conv/algorithms/index.ts';
import { chooseAll } from '../engine/ops/conv/choice/layers.ts';
import sgd from '../engine/optimizers/rules/sgd.ts';
import { testDevice } from '../engine/testing/gpu.ts';
import { models } from './index.ts';
import { noiseTrainer } from './testing/noise.ts';

const resnet8 = models.get('resnet8');

test('ResNet-8 memorises four images, and then classifies them one by one', async () => {
  const { layers, input } = resnet8;
  const count = 4;
  const settings = { ...sgd.defaults, lr: 0.05, momentum: 0.9 };
  const device = await testDevice();
  // One algorithm compiles faster than several, which a software GPU would spend most of the time on.
  const choices = chooseAll(device, layers, [count, ...input], { pins: [{ algorithm: DEFAULT_ALGORITHM }] });
  const { trainer, indices } = await noiseTrainer(device, resnet8, count, { settings, choices });
  const STEPS = 20;
  const losses: number[] = [];
  for (let step = 1; step <= STEPS; step++) {
    trainer.submit([{ ...sgd.stepFields(step, settings), indices }]);
    losses.push((await trainer.readMetrics(1))[0].loss);
  }
  const state = await trainer.parameters.stateDict(trainer.readback);
  const evaluation = await trainer.evaluate('train');
  trainer.destroy();
  expect(losses[0]).toBeGreaterThan(1.5);
  expect(losses[STEPS - 1]).toBeLessThan(0.1);
  expect(evaluation?.accuracy).toBe(1);
  expect(state.get('layer3.0.downsample.1.num_batches_tracked')?.data).toEqual(Float32Array.of(STEPS));
});
