/** The kernels for tensor cores, compiled where there are none; tiles.gpu.test.ts computes by emulated ones. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Device } from '../../gpu/device.ts';
import implicitGemm from '../ops/conv/algorithms/implicit_gemm/index.ts';
import { inLayout, LAYOUTS } from '../ops/conv/layout.ts';
import { convProblem, DIRECTIONS } from '../ops/conv/problem.ts';
import { DEFAULT_WORKSPACE, launchesOf } from '../ops/conv/run.ts';
import { kernelsOf } from '../testing/conv.ts';
import { MIXED_NETWORKS, mixedTrainer } from '../testing/mixed.ts';
import { nullDevice } from '../testing/null-device.ts';
import { gpuTiles } from './choose-tile.ts';
import { tileName } from './tiles.ts';

let device: Device;
beforeAll(async () => {
  device = await nullDevice('adapter', true);
});
afterAll(() => {
  expect(device.uncaught).toEqual([]);
  device.destroy();
});

const problem = convProblem({ N: 64, C: 32, H: 16, W: 16, K: 32, R: 3, S: 3, padding: [1, 1] });

const cases = LAYOUTS.flatMap((layout) => DIRECTIONS.map((direction) => ({ layout, direction })));

test.each(cases)('$direction in $layout', async ({ layout, direction }) => {
  const setting = {
    device,
    problem: inLayout(problem, layout),
    workspace: DEFAULT_WORKSPACE,
    number: 'f16',
  } as const;
  const launches = launchesOf(implicitGemm, setting, direction);
  const onMatrices = launches.filter(({ name }) => name.includes('tensor cores'));
  expect(onMatrices.length).toBeGreaterThan(0);
  for (const launch of onMatrices) {
    for (const kernel of kernelsOf(setting, direction, launch, true)) await device.kernels.get(kernel);
  }
});

test.each(MIXED_NETWORKS)('a training step compiles: %s', async (name) => {
  const trainer = await mixedTrainer(device, name, 'f16');
  const suits = ['residual', 'pooling and'].some((start) => name.startsWith(start));
  const { dispatches } = trainer.plan;
  trainer.destroy();
  const gather = dispatches.find(({ kernel }) => kernel.source.shader === 'gather/batch');
  expect(gather?.kernel.source.constants?.CHANNELS_LAST).toBe(suits);
});

test('only values of 16 bits are multiplied on tensor cores', () => {
  const names = (number: 'f16' | 'f32') => gpuTiles(device, number).map(tileName).join();
  expect(names('f16')).toContain('tensor cores');
  expect(names('f32')).not.toContain('tensor cores');
});
