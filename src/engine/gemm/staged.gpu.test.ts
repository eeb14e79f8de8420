/**
 * The tiles of real GPUs, on whatever adapter there is: a software adapter would otherwise never run them. Tiles that
 * are wider than the product, and sums that end within a step, are what goes wrong.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { convDgrad, convFprop, convWgrad } from '../ops/conv/reference.ts';
import { inputShape, outputShape, weightShape } from '../ops/conv/problem.ts';
import implicitGemm from '../ops/conv/algorithms/implicit_gemm/index.ts';
import { expectExact } from '../testing/check.ts';
import { integers } from '../testing/fixtures.ts';
import { runPlan, testDevice } from '../testing/gpu.ts';
import { CONV_PROBLEMS } from '../testing/problems.ts';
import { chooseTile, TILES, tileGrid } from './tiles.ts';

beforeAll(async () => {
  const { adapter } = await testDevice();
  adapter.software = false;
});

describe('matrix product', () => {
  test.each(TILES.map((tile) => [`${tile.TM * tile.WY} x ${tile.TN * 4 * tile.WX}`, tile] as const))(
    'tile %s',
    async (_, one) => {
      const { share: __, ...tile } = one;
      const [M, N, K] = [68, 132, 36];
      const a = integers(1, [M, K]);
      const b = integers(2, [K, N]);
      const { out } = await runPlan({
        inputs: { a, b },
        outputs: { out: [M, N] },
        build: (plan, tensors) =>
          plan.dispatch({
            label: 'product',
            kernel: { shader: 'gemm/matmul', constants: { ...tile, A_ALONG_K: true, B_ALONG_K: false } },
            tensors,
            uniforms: { M, N, K },
            workgroups: tileGrid(tile, { M, N, K }),
          }),
      });
      const expected = new Float64Array(M * N);
      for (let m = 0; m < M; m++) {
        for (let n = 0; n < N; n++) {
          for (let k = 0; k < K; k++) expected[m * N + n] += a.data[m * K + k] * b.data[k * N + n];
        }
      }
      expectExact('C', out, expected);
    },
  );
});

const NAMES = [
  'everything unequal',
  'groups',
  'one more than tiles of 32',
  '11x11 filter',
  'long sums in wgrad',
  'strip 1x300',
];

describe.each(CONV_PROBLEMS.filter(({ name }) => NAMES.includes(name)))('$name', ({ problem }) => {
  const x = integers(1, inputShape(problem));
  const w = integers(2, weightShape(problem));
  const dy = integers(3, outputShape(problem));

  test('all directions', async () => {
    expect(chooseTile(await testDevice(), { M: 1, N: 1, K: 1 }).STAGED).toBe(true);
    const { y } = await runPlan({
      inputs: { x, w },
      outputs: { y: outputShape(problem) },
      build: (plan, tensors) => implicitGemm.fprop(plan, 'fprop', problem, tensors),
    });
    expectExact('y', y, convFprop(problem, x.data, w.data));
    const { dx } = await runPlan({
      inputs: { dy, w },
      outputs: { dx: inputShape(problem) },
      build: (plan, tensors) => implicitGemm.dgrad(plan, 'dgrad', problem, tensors),
    });
    expectExact('dx', dx, convDgrad(problem, w.data, dy.data));
    const { dw } = await runPlan({
      inputs: { dy, x },
      outputs: { dw: weightShape(problem) },
      build: (plan, tensors) => implicitGemm.wgrad(plan, 'wgrad', problem, tensors),
    });
    expectExact('dw', dw, convWgrad(problem, dy.data, x.data));
  });
});
