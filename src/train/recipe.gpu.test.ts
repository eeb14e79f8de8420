/** The effect of a run's settings on its steps: weight decay, clipping, smoothing, schedules. */
import { describe, expect, test } from 'vitest';
import { NO_AUGMENTATION } from '../base/augmentation.ts';
import { optimizers } from '../engine/optimizers/registry.ts';
import type { StateDict } from '../engine/parameters.ts';
import { expectClose } from '../engine/testing/check.ts';
import type { TrainingConfig } from './config.ts';
import { dataset, recorded, residual, cleanSupply, tiny } from './testing/tiny-run.ts';
import { whiteningFilters } from './whitening.ts';

const supply = cleanSupply();

const sgd = { ...optimizers.get('sgd').defaults, lr: 0.1 };

async function finished(lastStep: number, change: Partial<TrainingConfig>) {
  const { run, record } = recorded(tiny({ optimizer: 'sgd', ...sgd, lastStep, ...change }), supply);
  run.train();
  await run.settled();
  const parameters = await run.stateDict();
  const evaluation = await run.evaluate('train');
  await run.close();
  return { losses: record.losses, parameters, evaluation };
}

const all = (parameters: StateDict): number[] => [...parameters.values()].flatMap(({ data }) => [...data]);

test('weight decay can exclude biases', async () => {
  const decay = { ...sgd, weightDecay: 0.5 };
  const [none, every, selective] = [
    await finished(1, {}),
    await finished(1, decay),
    await finished(1, { ...decay, decay1d: false }),
  ];
  for (const [name, { data }] of selective.parameters) {
    const [without, like] = name.endsWith('bias') ? [every, none] : [none, every];
    expect(data, name).toEqual(like.parameters.get(name)?.data);
    expect(data, name).not.toEqual(without.parameters.get(name)?.data);
  }
});

test('clipping shortens a step to the norm, in its direction', async () => {
  const start = all((await finished(1, { ...sgd, lr: 0 })).parameters);
  const stepOf = async (change: Partial<TrainingConfig>) =>
    Float64Array.from(
      all((await finished(1, { ...sgd, lr: 1, ...change })).parameters),
      (v, i) => v - start[i],
    );
  const norm = (step: Float64Array) => Math.sqrt(step.reduce((sum, v) => sum + v * v, 0));
  const free = await stepOf({});
  const short = await stepOf({ clipNorm: norm(free) / 8 });
  // Parameters are rounded near 0.3, steps are about 0.01.
  expect(Math.abs((8 * norm(short)) / norm(free) - 1)).toBeLessThan(1e-5);
  expectClose(
    'step',
    short,
    free.map((v) => v / 8),
    1e-5,
  );
  expect(await stepOf({ clipNorm: 2 * norm(free) })).toEqual(free);
});

test('label smoothing affects the training loss, not evaluation', async () => {
  const still = { ...sgd, lr: 0 };
  const [plain, smooth] = [await finished(1, still), await finished(1, { ...still, labelSmoothing: 0.2 })];
  expect(smooth.losses[0]).not.toBe(plain.losses[0]);
  expect(smooth.evaluation).toEqual(plain.evaluation);
  const [a, b] = [await finished(1, {}), await finished(1, { labelSmoothing: 0.2 })];
  expect(all(a.parameters)).not.toEqual(all(b.parameters));
});

describe('schedules', () => {
  test('every step uses its own learning rate', async () => {
    // One batch is the whole set in file order, so that steps can be chained by hand.
    const whole = { batchSize: dataset.train.count, shuffle: false };
    const learningRate = { schedule: 'step', steps: 3, stepSize: 1, gamma: 0.25 };
    const scheduled = await finished(3, { ...whole, learningRate });
    let chained = await finished(1, whole);
    for (const lr of [0.1 / 4, 0.1 / 16]) {
      chained = await finished(1, { ...whole, ...sgd, lr, initial: chained.parameters });
    }
    expect(scheduled.parameters).toEqual(chained.parameters);
  });

  test('a constant schedule changes no bit', async () => {
    const learningRate = { schedule: 'constant', steps: 20 };
    expect(await finished(20, { learningRate })).toEqual(await finished(20, {}));
  });

  test('no pipeline is created during training', async () => {
    const learningRate = { schedule: 'cosine', steps: 6, warmupSteps: 2 };
    const { run } = recorded(tiny({ learningRate }), supply);
    await run.stepOnce();
    const { kernels, ledger } = await supply.get();
    const before = [kernels.made, ledger.buffers];
    for (let step = 2; step <= 6; step++) await run.stepOnce();
    expect(run.steps).toBe(6);
    expect([kernels.made, ledger.buffers]).toEqual(before);
    await run.close();
  });

  test('the losses are the same after the device is lost', async () => {
    const config = tiny({
      optimizer: 'rmsprop',
      lastStep: 60,
      labelSmoothing: 0.1,
      clipNorm: 0.5,
      lr: 0.01,
      momentum: 0.5,
      centered: true,
      learningRate: { schedule: 'one-cycle', steps: 60, warmupSteps: 5 },
    });
    const expected = recorded(config, supply);
    expected.run.train();
    await expected.run.settled();
    await expected.run.close();
    let lost = false;
    const { run, record } = recorded(config, supply, (last) => {
      if (last < 25 || lost) return;
      lost = true;
      void supply.get().then((device) => device.destroy());
    });
    run.train();
    await run.settled();
    await run.close();
    expect(record.states.map(({ state }) => state)).toContain('recovering');
    expect(record.losses).toEqual(expected.record.losses);
    // It also learns.
    expect(record.losses[59]).toBeLessThan(0.8 * record.losses[0]);
  });

  test('a schedule that does not fit the run is refused before it starts', () => {
    const learningRate = { schedule: 'cosine', steps: 5, warmupSteps: 5 };
    expect(() => recorded(tiny({ learningRate }), supply)).toThrow(/expected the warm-up to be less/);
  });
});

test('whitening filters that a factor of 0 keeps, with Muon and an alternating mirror: it learns, the same on another run', async () => {
  const change: Partial<TrainingConfig> = {
    model: residual,
    optimizer: 'muon',
    ...optimizers.get('muon').defaults,
    lr: 0.02,
    rescale: true,
    nesterov: true,
    lrFactors: ['conv1.weight=0', 'fc=2'],
    whiten: true,
    augmentation: { ...NO_AUGMENTATION, crop: 1, reflect: 1, alternate: 1 },
    testViews: 'shifted',
  };
  const first = await finished(40, change);
  const [[name, filters]] = whiteningFilters(residual, dataset);
  expect(first.parameters.get(name)?.data).toEqual(filters);
  expect(first.losses[39]).toBeLessThan(0.8 * first.losses[0]);
  const second = await finished(40, change);
  expect(second.losses).toEqual(first.losses);
  expect(second.evaluation?.losses).toEqual(first.evaluation?.losses);
});
