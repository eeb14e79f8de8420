/** ResNet-20 against PyTorch, step by step, if PyTorch's reference run is available. */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { count } from '../base/testing/tier.ts';
import { openNodeDevice } from '../node/gpu.ts';
import cifar10 from '../data/datasets/cifar-10/index.ts';
import { DEFAULT_ALGORITHM } from '../engine/ops/conv/algorithms/index.ts';
import { DeviceSupply } from '../gpu/supply.ts';
import { models } from '../models/index.ts';
import { goldenRun } from './testing/golden.ts';
import { TrainingRun } from './run.ts';

const resnet20 = models.get('resnet20');

const golden = process.env['WGRAD_GOLDEN_DIR'];
const supply = new DeviceSupply(() => openNodeDevice());

afterAll(async () => {
  if (golden) (await supply.get()).destroy();
});

/** The difference of float32 from float64: batch normalisation makes runs drift apart. */
const TOLERANCES = [1e-5, 5e-4];
const LATER = 0.08;

test.runIf(golden)(
  'follows the losses of PyTorch',
  async () => {
    const { software, cpu } = (await supply.get()).adapter;
    // A processor takes long for a step. The second loss depends on the gradients of all parameters, the third on momentum.
    const most = software ? 2 : cpu ? count(4, 4, Infinity) : Infinity;
    const { config, expected } = await goldenRun(
      resnet20,
      cifar10,
      join(golden as string, 'resnet20-sgd'),
      most,
    );
    const losses: number[] = [];
    // One algorithm compiles faster than several, which a software GPU would spend most of the time on.
    const pins = cpu ? [] : [{ algorithm: DEFAULT_ALGORITHM }];
    const run = new TrainingRun({ ...config, pins }, supply, {
      steps: (rows) => losses.push(...rows.map(({ loss }) => loss)),
    });
    run.train();
    await run.settled();
    expect(losses).toHaveLength(config.lastStep);
    losses.forEach((loss, i) =>
      expect(Math.abs(loss - expected.loss_f64[i]), `step ${i + 1}`).toBeLessThan(TOLERANCES[i] ?? LATER),
    );
    await run.close();
  },
  300_000,
);
