/** LeNet-5 against PyTorch, step by step, where PyTorch's reference run is at hand. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { nodeGpu } from '../cli/gpu.ts';
import { readDataset } from '../cli/data.ts';
import mnist from '../data/datasets/mnist/index.ts';
import { readSafetensors } from '../data/formats/safetensors.ts';
import { convAlgorithms, DEFAULT_ALGORITHM } from '../engine/ops/conv/algorithms/index.ts';
import sgd from '../engine/optimizers/sgd/index.ts';
import { DeviceSupply } from '../gpu/supply.ts';
import lenet5 from '../models/lenet5.ts';
import { Session } from './session.ts';

const golden = process.env['WGRAD_GOLDEN_DIR'];
const supply = new DeviceSupply(nodeGpu);

afterAll(async () => {
  if (golden) (await supply.get()).destroy();
});

interface Expected {
  batch_size: number;
  steps: number;
  optimizer: { lr: number; momentum: number };
  normalize: { mean: number[]; std: number[] };
  loss_f64: number[];
  eval_loss_f64: number;
  eval_acc_f64: number;
}

// A software GPU needs a second a step for the direct algorithm.
const cases = convAlgorithms
  .names()
  .map((name) => [name, name === DEFAULT_ALGORITHM ? Infinity : 6] as const);

test.runIf(golden).each(cases)('%s follows the losses of PyTorch', async (convAlgorithm, most) => {
  const folder = join(golden as string, 'lenet5-sgd');
  const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8')) as Expected;
  const dataset = await readDataset(mnist, { dataDir: folder, trainOnly: true });
  const { lr, momentum } = expected.optimizer;
  const steps = Math.min(most, expected.steps);
  const losses: number[] = [];
  const session = new Session(
    {
      model: lenet5,
      dataset: { ...dataset, ...expected.normalize },
      batchSize: expected.batch_size,
      optimizer: 'sgd',
      settings: { ...sgd.defaults, lr, momentum },
      seed: 1,
      shuffle: false,
      lastStep: steps,
      initial: readSafetensors('init', readFileSync(join(folder, 'init.safetensors'))).tensors,
      convAlgorithm,
    },
    supply,
    { steps: (_, metrics) => losses.push(...metrics.map(({ loss }) => loss)) },
  );
  session.train();
  await session.settled();
  expect(losses).toHaveLength(steps);
  losses.forEach((loss, i) =>
    expect(Math.abs(loss - expected.loss_f64[i]), `step ${i + 1}`).toBeLessThan(1e-5),
  );
  if (steps === expected.steps) {
    const { loss, accuracy } = await session.evaluate('train');
    expect(Math.abs(loss - expected.eval_loss_f64)).toBeLessThan(1e-5);
    expect(accuracy).toBe(expected.eval_acc_f64);
  }
  await session.close();
});
