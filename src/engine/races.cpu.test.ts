/**
 * No kernel has a race in the memory of its workgroups, and every barrier is needed: without it there is one. The CPU engine
 * watches (src/cpu/compile/races.ts); WGRAD_RACES=1 lets it watch in every test of a kernel.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { link } from '../gpu/link.ts';
import { fetchShaders, shaderNames, shaderSource } from '../gpu/sources.ts';
import { BINS, countValues } from './histograms.ts';
import { planSummedProducts } from './gemm/products.ts';
import { TILES } from './gemm/tiles.ts';
import { softmaxCrossEntropy } from './loss/index.ts';
import batchNorm from './ops/batch_norm/index.ts';
import batchNormPasses from './ops/batch_norm/passes.ts';
import { planBiasGradient } from './ops/conv/bias_gradient.ts';
import { convAlgorithms } from './ops/conv/algorithms/index.ts';
import { convProblem, outputShape, type ProblemSizes, type Direction } from './ops/conv/problem.ts';
import { launchesOf } from './ops/conv/run.ts';
import { packStep, stepSlotBytes } from './step.ts';
import { expectLaunch, settingOf } from './testing/conv.ts';
import { labels, normals } from './testing/fixtures.ts';
import { asIfOn, closeTestDevices, pretendMatrices, runPlan, testDevice, watchRaces } from './testing/gpu.ts';
import { complete, testNode } from './testing/node.ts';

const CHANNELS: ProblemSizes = { N: 2, C: 20, H: 10, W: 9, K: 36, R: 3, S: 3, padding: [1, 1] };
const FEW: ProblemSizes = { N: 2, C: 3, H: 9, W: 20, K: 5, R: 3, S: 3, padding: [1, 1] };

interface RaceCase {
  name: string;
  run(): Promise<unknown>;
}

/** A launch as a GPU would choose it. */
const conv = (
  algorithm: string,
  direction: Direction,
  wanted: RegExp,
  sizes: ProblemSizes = CHANNELS,
  matrices = false,
): RaceCase => ({
  name: `${algorithm} ${direction}, ${wanted.source}`,
  run: () =>
    asIfOn('a GPU', async () => {
      const restore = matrices ? pretendMatrices((await testDevice()).adapter) : () => undefined;
      const problem = convProblem(sizes);
      const setting = await settingOf(problem);
      const found = convAlgorithms.get(algorithm);
      const launch = launchesOf(found, setting, direction).find(({ name }) => wanted.test(name));
      restore();
      if (!launch) throw new Error('no such launch');
      await expectLaunch(found, problem, direction, launch, true);
    }),
});

const CASES: readonly RaceCase[] = [
  conv('implicit_gemm', 'fprop', /^\d+x\d+x\d+ \d+x\d+$/),
  conv('implicit_gemm', 'fprop', /unstaged.*/, FEW),
  conv('implicit_gemm', 'dgrad', /tensor cores/, CHANNELS, true),
  conv('implicit_gemm', 'fprop', /few channels/, FEW),
  conv('direct', 'fprop', /several outputs/),
  conv('direct', 'fprop', /^input tile in workgroup memory$/),
  conv('direct', 'wgrad', /one workgroup per filter/, FEW),
  conv('direct', 'wgrad', /one thread per row/, { ...FEW, N: 20 }),
  conv('winograd_f2x3', 'fprop', /fused/),
  conv('fft', 'fprop', /./, { ...FEW, H: 40, W: 40 }),
  conv('fft_tiling', 'fprop', /./, FEW),
  conv('im2col_gemm', 'fprop', /transposed/, { ...FEW, layout: 'nhwc' }),
  {
    name: 'many slices',
    run: () =>
      asIfOn('a GPU', () => {
        const [M, N, K] = [4, 8, 1040];
        const tile = { ...TILES[0].tile, TM: 4, TN: 1, WX: 8, WY: 1, STAGED: false };
        return runPlan({
          inputs: { a: normals(1, [M, K]), b: normals(2, [K, N]) },
          outputs: { c: [M, N] },
          build: (plan, t) =>
            planSummedProducts(plan, 'product', {
              M,
              N,
              K,
              ...t,
              aAlongK: true,
              bAlongK: false,
              tile,
              slices: 130,
            }),
        });
      }),
  },
  {
    name: 'bias gradient',
    run: () =>
      asIfOn('a GPU', async () => {
        const setting = await settingOf(convProblem(FEW));
        return runPlan({
          inputs: { dy: normals(1, outputShape(setting.problem)) },
          outputs: { db: [FEW.K] },
          build: (plan, t) => planBiasGradient(plan, 'bias', setting, t.dy, t.db),
        });
      }),
  },
  {
    name: 'batch norm',
    run: () =>
      asIfOn('a GPU', () => {
        const shape = [9, 3, 31, 33];
        const channels = [3];
        return runPlan({
          inputs: {
            x: normals(1, shape),
            dy: normals(2, shape),
            weight: normals(3, channels),
            bias: normals(4, channels),
          },
          outputs: {
            y: shape,
            dx: shape,
            dw: channels,
            db: channels,
            running_mean: normals(5, channels),
            running_var: normals(6, channels),
            num_batches_tracked: normals(7, []),
          },
          build(plan, { x, y, dx, dy, dw, db, weight, bias, ...buffers }) {
            const node = testNode(complete(batchNorm), {
              input: x,
              output: y,
              outputGradient: dy,
              inputGradient: dx,
              parameters: { weight, bias },
              gradients: { weight: dw, bias: db },
              buffers,
            });
            batchNormPasses.forward(plan, node);
            batchNormPasses.backward(plan, node);
          },
        });
      }),
  },
  {
    name: 'loss',
    run: () => {
      const slotBytes = stepSlotBytes(300);
      const data = new Uint8Array(slotBytes);
      packStep(new DataView(data.buffer), 0, { metricsSlot: 0, indices: new Uint32Array(300) });
      return runPlan({
        inputs: { logits: normals(1, [300, 3]), labels: labels(2, 300, 3) },
        outputs: { gradient: [300, 3], metrics: [2] },
        step: { data, slotBytes },
        build: (plan, t) => void softmaxCrossEntropy(plan, { ...t, weights: [1, 2, 3] }),
      });
    },
  },
  {
    name: 'histogram',
    run: () =>
      runPlan({
        inputs: { x: normals(1, [5000]) },
        outputs: { counts: { shape: [BINS], data: new Float32Array(BINS) } },
        build: (plan, t) => countValues(plan, 'x', t.x, t.counts, 0),
      }),
  },
];

const BARRIER = /workgroupBarrier\(\);/;

/** "gemm/tile:224": where barriers are. */
const barriersOf = (lines: readonly { text: string; file: string; line: number }[]): string[] =>
  lines.filter(({ text }) => BARRIER.test(text)).map(({ file, line }) => `${file}:${line}`);

/** The cases that run into a barrier. */
const reached = new Map<string, RaceCase[]>();

beforeAll(() => fetchShaders());
afterAll(closeTestDevices);

describe('kernels', () => {
  beforeEach(watchRaces);

  test.each(CASES)('$name', async (one) => {
    const get = vi.spyOn((await testDevice()).kernels, 'get');
    await one.run();
    const sites = get.mock.calls.flatMap(([{ shader, constants = {} }]) =>
      barriersOf(link(shader, constants, shaderSource).lines),
    );
    get.mockRestore();
    expect(sites).not.toEqual([]);
    for (const site of new Set(sites)) reached.set(site, [...(reached.get(site) ?? []), one]);
  });
});

test('every barrier is needed', async () => {
  const all = shaderNames().flatMap((file) =>
    barriersOf(
      shaderSource(file)
        .split('\n')
        .map((text, i) => ({ text, file, line: i + 1 })),
    ),
  );
  const missed: string[] = [];
  for (const site of all) {
    const [file, line] = site.split(':');
    const without = shaderSource(file)
      .split('\n')
      .map((text, i) => (i + 1 === Number(line) ? text.replace(BARRIER, '') : text))
      .join('\n');
    let found = false;
    for (const one of reached.get(site) ?? []) {
      await watchRaces();
      (await testDevice()).kernels.replaceSource(file, without);
      const error: unknown = await one.run().catch((reason: unknown) => reason);
      found = error instanceof Error && /a race in the memory of a workgroup/.test(error.message);
      if (found) break;
    }
    if (!found) missed.push(site);
  }
  console.log(
    `barriers that are missed when they are left out: ${all.length - missed.length} of ${all.length}`,
  );
  expect(missed).toEqual([]);
});
