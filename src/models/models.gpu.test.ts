import { afterAll, beforeAll, expect, test } from 'vitest';
import { elements } from '../base/shape.ts';
import { chooseAll, convLayers } from '../engine/ops/conv/choice/layers.ts';
import { flops } from '../engine/ops/conv/problem.ts';
import sgd from '../engine/optimizers/rules/sgd.ts';
import { atLimits, testDevice } from '../engine/testing/gpu.ts';
import { Trainer } from '../engine/trainer.ts';
import { models } from './index.ts';
import { FULL_SIZE, type Model } from './model.ts';
import { noiseTrainer, withSmallImages } from './testing/noise.ts';
import { variedModels } from './testing/varied.ts';

// What trains here trains on every WebGPU device.
beforeAll(() => atLimits('compatibility'));
afterAll(async () => {
  const device = await testDevice();
  expect(device.uncaught).toEqual([]);
  expect(device.ledger).toMatchObject({ buffers: 0, bytes: 0 });
});

/** Images. Batch normalisation needs more than one number a channel. */
const COUNT = 2;
/** Floating-point operations of an image's convolutions above which a software GPU takes smaller images. */
const MUCH = 1e7;
/** And those above which it takes a single step. */
const VERY_MUCH = 1e8;

const work = ({ layers, input }: Model) =>
  convLayers(layers, [1, ...input]).reduce((sum, { problem }) => sum + flops(problem), 0);

/** Its parameters are larger than a buffer of these limits, which is what training it says then. */
const TOO_LARGE = 'vgg19_224';

const trainable = variedModels().filter(({ name }) => name !== TOO_LARGE);

/** Models for 224x224 take smaller images on a processor, and a single step: two of them hardly say where it goes. */
const reduced = (model: Model): Model => ({ ...model, input: [3, 64, 64] });

test.each(trainable.map((model) => [model.name, model] as const))(
  '%s trains and evaluates',
  async (_, whole) => {
    const device = await testDevice();
    const { software } = device.adapter;
    const large = whole.family === FULL_SIZE.family && device.onProcessor;
    const model = large ? reduced(whole) : software && work(whole) > MUCH ? withSmallImages(whole) : whole;
    const { layers, input, classes } = model;
    const settings = { ...sgd.defaults, lr: 1e-4 };
    // What compiles fastest: on a software GPU, other algorithms take ten times as long to compile as to run.
    const choices = chooseAll(device, layers, [COUNT, ...input], { pins: [{ algorithm: 'direct' }] });
    const { trainer, indices } = await noiseTrainer(device, model, COUNT, { settings, choices });
    const losses: number[] = [];
    const steps = large || (software && work(whole) > VERY_MUCH) ? 1 : 2;
    for (let step = 1; step <= steps; step++) {
      // The same seed drops the same, so that losses are of one function.
      trainer.submit([{ ...sgd.stepFields(step, settings), indices, seed: 7 }]);
      losses.push((await trainer.readMetrics(1))[0].loss);
    }
    const evaluation = await trainer.evaluate('train');
    const state = await trainer.parameters.stateDict(trainer.readback);
    trainer.destroy();
    const wrong = [...state].filter(([, { data }]) => !data.every(Number.isFinite)).map(([name]) => name);
    expect(wrong).toEqual([]);
    expect([...losses, evaluation?.loss].every(Number.isFinite)).toBe(true);
    // Knowing nothing is ln(classes); half as much again is for numbers drawn badly.
    expect(losses[0]).toBeLessThan(1.5 * Math.log(classes));
    if (steps > 1) expect(losses[1]).toBeLessThan(losses[0]);
  },
  300_000,
);

test(`${TOO_LARGE} does not fit a small device, which is said`, async () => {
  const { layers, input, classes } = models.get(TOO_LARGE);
  const train = { images: new Uint8Array(elements(input)), labels: new Uint8Array(1), count: 1 };
  const normalisation = { mean: [0, 0, 0], std: [1, 1, 1] };
  const options = { layers, input, classes, batchSize: 1, optimizer: sgd, settings: sgd.defaults };
  await expect(Trainer.create(await testDevice(), { ...options, train, normalisation })).rejects.toThrow(
    /^buffer "parameters" needs 548.0 MiB; this device allows/,
  );
});
