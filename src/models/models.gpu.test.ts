import { expect, test } from 'vitest';
import { elements } from '../base/shape.ts';
import { DEFAULT_ALGORITHM } from '../engine/ops/conv/algorithms/index.ts';
import { chooseAll, convLayers } from '../engine/ops/conv/choice/layers.ts';
import { flops } from '../engine/ops/conv/problem.ts';
import sgd from '../engine/optimizers/sgd/index.ts';
import { normals } from '../engine/testing/fixtures.ts';
import { testDevice } from '../engine/testing/gpu.ts';
import { Trainer } from '../engine/trainer.ts';
import { models } from './index.ts';
import { fitModel, type Model } from './model.ts';

/** Images. Two, since batch normalisation needs more than one number a channel. */
const COUNT = 2;
/** Above so many floating-point operations an image, a software GPU takes images of half the size. */
const LARGE = 5e7;

/** @returns floating-point operations of its convolutions, forward */
const work = ({ layers, input }: Model) =>
  convLayers(layers, [1, ...input]).reduce((sum, { problem }) => sum + flops(problem), 0);

const halved = (model: Model) => {
  const [C, H, W] = model.input;
  const shape = [C, H / 2, W / 2];
  return fitModel(model, { name: 'smaller images', shape, classes: { length: model.classes } });
};

test.each(models.all().map((model) => [model.name, model] as const))(
  '%s trains steps that lower the loss, and evaluates',
  async (_, whole) => {
    const device = await testDevice();
    const large = work(whole) > LARGE;
    const { layers, input, classes, weightsInit } = large && device.adapter.software ? halved(whole) : whole;
    const before = device.ledger.buffers;
    const images = Uint8Array.from(normals(1, [COUNT * elements(input)]).data, (x) => 128 + 40 * x);
    const indices = Uint32Array.from({ length: COUNT }, (__, i) => i);
    const settings = { ...sgd.defaults, lr: 1e-3 };
    const repeat = (value: number) => new Array<number>(input[0]).fill(value);
    // One algorithm compiles faster than several, which a software GPU would spend most of the time on.
    const pins = [{ algorithm: DEFAULT_ALGORITHM }];
    const trainer = await Trainer.create(device, {
      ...{ layers, input, classes, batchSize: COUNT, optimizer: sgd, settings },
      train: { images, labels: Uint8Array.from(indices), count: COUNT },
      choices: chooseAll(device, layers, [COUNT, ...input], { pins }),
      normalisation: { mean: repeat(0.5), std: repeat(0.25) },
    });
    trainer.parameters.initialize(1, weightsInit);
    const losses: number[] = [];
    for (let step = 1; step <= 2; step++) {
      // The same seed drops the same, so the second loss is of the same function.
      trainer.submit([{ ...sgd.stepFields(step, settings), indices, seed: 7 }]);
      losses.push((await trainer.readMetrics(1))[0].loss);
    }
    const evaluation = await trainer.evaluate('train');
    const state = await trainer.parameters.stateDict(trainer.readback);
    trainer.destroy();
    const wrong = [...state].filter(([, { data }]) => !data.every(Number.isFinite)).map(([name]) => name);
    expect(wrong).toEqual([]);
    expect([...losses, evaluation?.loss].every(Number.isFinite)).toBe(true);
    expect(losses[0]).toBeLessThan(2 * Math.log(classes));
    expect(losses[1]).toBeLessThan(losses[0]);
    expect(device.ledger.buffers).toBe(before);
    expect(device.uncaught).toEqual([]);
  },
  300_000,
);
