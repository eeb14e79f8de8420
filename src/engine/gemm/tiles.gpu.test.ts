/**
 * The tiles of real GPUs, on whatever adapter there is: a software adapter would otherwise never run them. Tiles that
 * are wider than the product, and sums that end within a step, are what goes wrong.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { convDgrad, convFprop, convWgrad } from '../ops/conv/reference.ts';
import { convProblem, inputShape, outputShape, weightShape } from '../ops/conv/problem.ts';
import implicitGemm from '../ops/conv/algorithms/implicit_gemm/index.ts';
import { settingOf } from '../testing/conv.ts';
import { expectExact } from '../testing/check.ts';
import { integers } from '../testing/fixtures.ts';
import { runPlan, testDevice } from '../testing/gpu.ts';
import { CONV_PROBLEMS } from '../testing/problems.ts';
import { planProducts } from './products.ts';
import { chooseTile, tileName, TILES, type Tile } from './tiles.ts';

beforeAll(async () => {
  const { adapter } = await testDevice();
  adapter.software = false;
});

describe('matrix product', () => {
  const unstaged = { TN: 1, WY: 1, BK: 16, STAGED: false };
  const tiles: Tile[] = [
    // Software adapters need seconds to compile a long unrolled step; a short one has the same indices.
    ...TILES.map(({ tile }) => ({ ...tile, BK: 8 })),
    { ...unstaged, TM: 4, WX: 1, WK: 32, SPLIT: true },
    { ...unstaged, TM: 6, WX: 2, WK: 8, SPLIT: true },
    { ...unstaged, TM: 4, WX: 16, WK: 1, SPLIT: false },
  ];
  test.each(tiles.map((tile) => [tileName(tile), tile] as const))('tile %s', async (_, tile) => {
    const [M, N, K] = [68, 132, 36];
    const a = integers(1, [M, K]);
    const b = integers(2, [K, N]);
    const { out } = await runPlan({
      inputs: { a, b },
      outputs: { out: [M, N] },
      build: (plan, tensors) =>
        planProducts(plan, 'product', {
          ...{ M, N, K, a: tensors.a, aAlongK: true, b: tensors.b, bAlongK: false, c: tensors.out, tile },
        }),
    });
    const expected = new Float64Array(M * N);
    for (let m = 0; m < M; m++) {
      for (let n = 0; n < N; n++) {
        for (let k = 0; k < K; k++) expected[m * N + n] += a.data[m * K + k] * b.data[k * N + n];
      }
    }
    expectExact('C', out, expected);
  });
});

/** Large enough for staged tiles in every direction. */
const LARGE = [
  {
    name: 'large, stride and groups',
    problem: convProblem({ N: 1, C: 36, H: 67, W: 132, K: 40, R: 1, S: 2, stride: [1, 2], groups: 2 }),
  },
];
/** Too small for them: sums are shared instead. */
const SMALL = ['everything unequal', 'groups', '11x11 filter', 'long sums in wgrad'];

test.each(LARGE)('$name: products are staged', async ({ problem: { N, C, H, W, K, P, Q, R, S, groups } }) => {
  const device = await testDevice();
  const [c, k] = [C / groups, K / groups];
  expect(chooseTile(device, { M: k, N: N * P * Q, K: c * R * S, count: groups }).STAGED).toBe(true);
  expect(chooseTile(device, { M: c, N: N * H * W, K: k * R * S, count: groups }).STAGED).toBe(true);
  expect(chooseTile(device, { M: k, N: c * R * S, K: N * P * Q, count: groups, sliced: true }).STAGED).toBe(
    true,
  );
});

describe.each([...LARGE, ...CONV_PROBLEMS.filter(({ name }) => SMALL.includes(name))])(
  '$name',
  ({ problem }) => {
    const x = integers(1, inputShape(problem));
    const w = integers(2, weightShape(problem));
    const dy = integers(3, outputShape(problem));

    test('all directions', async () => {
      const setting = await settingOf(problem);
      const { y } = await runPlan({
        inputs: { x, w },
        outputs: { y: outputShape(problem) },
        build: (plan, tensors) => implicitGemm.fprop(setting)[0].add(plan, 'fprop', tensors),
      });
      expectExact('y', y, convFprop(problem, x.data, w.data));
      const { dx } = await runPlan({
        inputs: { dy, w },
        outputs: { dx: inputShape(problem) },
        build: (plan, tensors) => implicitGemm.dgrad(setting)[0].add(plan, 'dgrad', tensors),
      });
      expectExact('dx', dx, convDgrad(problem, w.data, dy.data));
      const { dw } = await runPlan({
        inputs: { dy, x },
        outputs: { dw: weightShape(problem) },
        build: (plan, tensors) => implicitGemm.wgrad(setting)[0].add(plan, 'wgrad', tensors),
      });
      expectExact('dw', dw, convWgrad(problem, x.data, dy.data));
    });
  },
);
