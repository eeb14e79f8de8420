/** The models' first steps beside the same steps in float64. */
import { afterAll, expect, test } from 'vitest';
import { inferShapes } from '../engine/network.ts';
import sgd from '../engine/optimizers/rules/sgd.ts';
import { referenceFlop, referenceStep } from '../engine/reference/network.ts';
import { testDevice } from '../engine/testing/gpu.ts';
import { models } from './index.ts';
import type { Model } from './model.ts';
import { noiseTrainer, withSmallImages } from './testing/noise.ts';

afterAll(async () => expect((await testDevice()).uncaught).toEqual([]));

const COUNT = 4;
const STEPS = 4;
const TOLERANCE = 1e-5;
/** Batch normalisation of so few images amplifies every rounding. */
const [LEARNING_RATE, WITH_BATCH_NORM] = [1e-2, 1e-4];
/** FLOP that take a second or two in float64. The larger models are made of the same layers. */
const AFFORDABLE = 4.5e7;

/** Without dropout, which is random, and with the smallest images that the model's pooling allows. */
function comparable(model: Model): Model {
  const layers = model.layers.map((layer) =>
    layer.op === 'dropout' ? { ...layer, attributes: { p: 0 } } : layer,
  );
  return withSmallImages({ ...model, layers });
}

/** The deviation of four numbers may be next to nothing: rounding then decides what the second step computes. */
const normalisesPixels = ({ layers, input }: Model): boolean =>
  inferShapes(layers, [COUNT, ...input]).some(
    ({ layer, output: [, , H, W] }) => layer.op === 'batch_norm' && H * W === 1,
  );

/** Models for 224x224 images do not take small ones. */
const affordable = models
  .all()
  .filter(({ input }) => input[1] < 224)
  .map(comparable)
  .filter(({ layers, input }) => referenceFlop(layers, [COUNT, ...input]) <= AFFORDABLE);

test.each(affordable.map((model) => [model.name, model] as const))(
  '%s follows float64',
  async (name, model) => {
    const { layers, input } = model;
    const shape = [COUNT, ...input];
    const lr = layers.some(({ op }) => op === 'batch_norm') ? WITH_BATCH_NORM : LEARNING_RATE;
    const settings = { ...sgd.defaults, momentum: 0, lr };
    const { trainer, images, indices } = await noiseTrainer(await testDevice(), model, COUNT, { settings });
    const state = await trainer.parameters.stateDict(trainer.readback);
    const steps = normalisesPixels(model) ? 1 : STEPS;
    trainer.submit(
      Array.from({ length: steps }, (_, i) => ({ ...sgd.stepFields(i + 1, settings), indices })),
    );
    const found = (await trainer.readMetrics(steps)).map(({ loss }) => loss);
    trainer.destroy();

    const values = new Map([...state].map(([key, { data }]) => [key, Float64Array.from(data)]));
    const x = Float64Array.from(images, (byte) => (byte / 255 - 0.5) / 0.25);
    for (const loss of found) {
      const batch = { shape, x, labels: indices };
      const expected = referenceStep(layers, batch, (key) => values.get(key) ?? []);
      expect(Math.abs(loss - expected.loss), `${name}: ${found.join(', ')}`).toBeLessThan(TOLERANCE);
      for (const [key, gradient] of expected.gradients) {
        const parameter = values.get(key) as Float64Array;
        gradient.forEach((value, i) => (parameter[i] -= lr * value));
      }
    }
  },
);
