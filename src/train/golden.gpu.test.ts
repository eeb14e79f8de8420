/** LeNet-5 against PyTorch, step by step, if PyTorch's reference run is available. */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { count } from '../base/testing/tier.ts';
import { openNodeDevice } from '../node/gpu.ts';
import mnist from '../data/datasets/mnist/index.ts';
import type { ConvAlgorithm } from '../engine/ops/conv/algorithm.ts';
import { convAlgorithms, DEFAULT_ALGORITHM } from '../engine/ops/conv/algorithms/index.ts';
import { convLayers, type Pin } from '../engine/ops/conv/choice/layers.ts';
import { DEFAULT_WORKSPACE, whyNot } from '../engine/ops/conv/run.ts';
import { DeviceSupply } from '../gpu/supply.ts';
import lenet5 from '../models/lenet5.ts';
import { goldenRun } from './testing/golden.ts';
import { TrainingRun } from './run.ts';

const golden = process.env['WGRAD_GOLDEN_DIR'];
const supply = new DeviceSupply(() => openNodeDevice());

afterAll(async () => {
  if (golden) (await supply.get()).destroy();
});

/** Whether an algorithm supports a layer, in place of the default. */
async function pinsOf(algorithm: ConvAlgorithm): Promise<Pin[]> {
  const device = await supply.get();
  return convLayers(lenet5.layers, [64, ...lenet5.input]).flatMap(({ layer, problem, directions }) =>
    directions
      .filter((direction) => {
        const setting = { device, problem, workspace: DEFAULT_WORKSPACE, number: 'f32' } as const;
        return whyNot(algorithm, setting, direction) === undefined;
      })
      .map((direction) => ({ layer, direction, algorithm: algorithm.name })),
  );
}

/**
 * SwiftShader needs seconds per step for most algorithms: it runs the default one. Without the reference run no device is
 * opened, and the file's only test is reported as skipped.
 */
const all =
  golden && !(await supply.get()).adapter.software
    ? await Promise.all(convAlgorithms.all().map(pinsOf))
    : [[{ algorithm: DEFAULT_ALGORITHM }]];
/** A wrong gradient changes the second loss, and momentum the third. */
const SOME = 6;
/**
 * On the processor, which rounds each product, large Winograd tiles are off by 1.3e-5 at step 22: max pooling then picks
 * the other of two nearly equal pixels, and the runs part.
 */
const LARGE_TILES = /^winograd_f(4x3|2x5|4x5)$/;

/** The default algorithm runs to the end, but not on SwiftShader; in `npm run test:exhaustive`, all do. */
async function stepsOf(algorithm: string): Promise<number> {
  if (!golden) return Infinity;
  const { cpu, software } = (await supply.get()).adapter;
  if (cpu && LARGE_TILES.test(algorithm)) return count(SOME, SOME, 16);
  return algorithm === DEFAULT_ALGORITHM && !software ? Infinity : count(SOME, SOME, Infinity);
}

const cases = await Promise.all(
  all
    .filter((pins) => pins.length > 0)
    .map(async (pins) => [pins[0].algorithm, await stepsOf(pins[0].algorithm), pins] as const),
);

test.runIf(golden).each(cases)('%s follows the losses of PyTorch', async (algorithm, most, pins) => {
  const { config, expected } = await goldenRun(lenet5, mnist, join(golden as string, 'lenet5-sgd'), most);
  const { lastStep } = config;
  const losses: number[] = [];
  const run = new TrainingRun({ ...config, pins }, supply, {
    steps: (rows) => losses.push(...rows.map(({ loss }) => loss)),
  });
  run.train();
  await run.settled();
  expect(losses, algorithm).toHaveLength(lastStep);
  losses.forEach((loss, i) =>
    expect(Math.abs(loss - expected.loss_f64[i]), `step ${i + 1}`).toBeLessThan(1e-5),
  );
  if (lastStep === expected.steps) {
    const { loss, accuracy } = await run.evaluate('train');
    expect(Math.abs(loss - expected.eval_loss_f64)).toBeLessThan(1e-5);
    expect(accuracy).toBe(expected.eval_acc_f64);
  }
  await run.close();
});
