/**
 * What a real GPU would run with no more than the limits that every device has. A software adapter takes other tiles, so
 * kernels are made here on a device that checks them and computes nothing; limits.gpu.test.ts in ops/conv/ computes.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Failure } from '../base/result.ts';
import { elements } from '../base/shape.ts';
import { count } from '../base/testing/tier.ts';
import type { Device } from '../gpu/device.ts';
import { dryDevice } from '../gpu/dry.ts';
import type { Model } from '../models/model.ts';
import { variedModels } from '../models/testing/varied.ts';
import rmsprop from './optimizers/rules/rmsprop.ts';
import { Trainer } from './trainer.ts';
import { convAlgorithms } from './ops/conv/algorithms/index.ts';
import { convProblem, DIRECTIONS } from './ops/conv/problem.ts';
import { DEFAULT_WORKSPACE, launchesOf, whyNot } from './ops/conv/run.ts';
import { kernelsOf } from './testing/conv.ts';
import { nullDevice } from './testing/null-device.ts';
import { CONV_PROBLEMS } from './testing/problems.ts';

const named = (name: string) => CONV_PROBLEMS.filter((one) => one.name === name);
const padded = { padding: [1, 1] } as const;

/** Awkward ones, and layers as networks have them. */
const problems = [
  ...named('everything unequal'),
  ...named('11x11 filter'),
  { name: 'first layer', problem: convProblem({ N: 64, C: 3, H: 32, W: 32, K: 64, R: 3, S: 3, ...padded }) },
  { name: 'middle', problem: convProblem({ N: 64, C: 64, H: 16, W: 16, K: 64, R: 3, S: 3, ...padded }) },
  { name: '5x5', problem: convProblem({ N: 64, C: 20, H: 12, W: 12, K: 36, R: 5, S: 5, padding: [2, 2] }) },
  { name: '1x1', problem: convProblem({ N: 16, C: 64, H: 14, W: 14, K: 256, R: 1, S: 1 }) },
];

let device: Device;
beforeAll(async () => {
  device = await nullDevice('compatibility');
});
afterAll(() => {
  expect(device.uncaught).toEqual([]);
});

describe.each(convAlgorithms.all())('$name', (algorithm) => {
  test.each(DIRECTIONS)('%s', async (direction) => {
    const refused: string[] = [];
    for (const { name, problem } of problems) {
      const setting = { device, problem, workspace: DEFAULT_WORKSPACE, number: 'f32' } as const;
      if (whyNot(algorithm, setting, direction) !== undefined) continue;
      const launches = launchesOf(algorithm, setting, direction);
      expect(launches, name).not.toEqual([]);
      for (const launch of launches) {
        for (const kernel of kernelsOf(setting, direction, launch, true)) {
          await device.kernels.get(kernel).catch((error: Failure) => {
            refused.push(`${name}, ${launch.name}: ${error.message}`);
          });
        }
      }
    }
    expect(refused).toEqual([]);
  });
});

/** Computes nothing and allocates nothing, but its kernels are made. */
const dry = () => Object.assign(dryDevice(device), { kernels: device.kernels });

const trainerOf = ({ layers, input, classes }: Model) =>
  Trainer.create(dry(), {
    layers,
    input,
    classes,
    batchSize: 32,
    optimizer: rmsprop,
    settings: rmsprop.defaults,
    normalisation: { mean: Array<number>(input[0]).fill(0), std: Array<number>(input[0]).fill(1) },
    train: { images: new Uint8Array(32 * elements(input)), labels: new Uint8Array(32), count: 32 },
    clipNorm: 1,
    measures: true,
    averages: 'moving',
  });

/** Models whose tensors need larger bindings than the default, with 32 images. */
const LARGE = ['alexnet_224', 'squeezenet_224', 'vgg19_224'];
/** Deep ones of the same kinds of layers as others. Each has hundreds of kernels. */
const DEEP = ['airbench96', 'googlenet', 'resnet50'];
const planned = variedModels().filter(({ name }) => count(0, 0, 1) > 0 || !DEEP.includes(name));
const [small, large] = [false, true].map((isLarge) =>
  planned.flatMap((model) => (LARGE.includes(model.name) === isLarge ? [[model.name, model] as const] : [])),
);

test.each(large)('%s says what it needs', async (_, model) => {
  await expect(trainerOf(model)).rejects.toThrow(/needs [\d.]+ MiB; this device allows [\d.]+ MiB per/);
});

test.each(small)('%s, with the algorithms that are predicted for it', async (_, model) => {
  const trainer = await trainerOf(model);
  expect(trainer.plan.dispatches).not.toEqual([]);
  trainer.destroy();
});
