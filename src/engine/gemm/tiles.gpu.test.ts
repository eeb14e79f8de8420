/**
 * Tests the tiles of real GPUs on any adapter: a software adapter would otherwise never run them. Typical errors are in
 * tiles that are wider than the product and in sums that end within a step.
 */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { NumberType } from '../dispatch.ts';
import { convProblem, DIRECTIONS } from '../ops/conv/problem.ts';
import { launchesOf } from '../ops/conv/run.ts';
import implicitGemm from '../ops/conv/algorithms/implicit_gemm/index.ts';
import { expectLaunch, judgeLaunch, settingOf } from '../testing/conv.ts';
import { expectExact } from '../testing/check.ts';
import { toHalf } from '../../base/half.ts';
import { integers, type FixtureValues } from '../testing/fixtures.ts';
import { pretend, pretendMatrices, runPlan, testDevice } from '../testing/gpu.ts';
import { CONV_PROBLEMS } from '../testing/problems.ts';
import { chooseWay, planProducts, planSummedProducts, toFour, wayName } from './products.ts';
import { chooseTile } from './choose-tile.ts';
import { canBeWide, LONG_SUM } from './tile-constants.ts';
import { MATRIX_TILES, tileName, TILES, type Tile } from './tiles.ts';

/** It compiles a kernel for each size; the CPU engine computes all of them. */
const onSwiftShader = (await testDevice()).adapter.software;

beforeAll(async () => {
  pretend((await testDevice()).adapter, false);
});

const strided = {
  name: 'stride and groups',
  problem: convProblem({ N: 1, C: 36, H: 17, W: 32, K: 40, R: 1, S: 2, stride: [1, 2], groups: 2 }),
};

/** Values in 16 bits, in half as many words. */
function packed({ shape, data }: FixtureValues): FixtureValues {
  const halves = Uint16Array.from(data, toHalf);
  return {
    shape: [...shape.slice(0, -1), shape[shape.length - 1] / 2],
    data: new Uint32Array(halves.buffer),
  };
}

interface ProductCase {
  tile: Tile;
  M: number;
  N: number;
  K: number;
  aAlongK?: boolean;
  bAlongK?: boolean;
  number?: NumberType;
  /** Of the sums over K. */
  slices?: number;
}

/** Multiplies matrices of whole numbers, of which float32 is exact. */
async function expectProduct(given: ProductCase): Promise<void> {
  const { M, N, K, aAlongK = true, bAlongK = false, number = 'f32', slices } = given;
  const row = toFour(K);
  const a = integers(1, aAlongK ? [M, row] : [K, M]);
  const b = integers(2, bAlongK ? [N, K] : [K, N]);
  const { out } = await runPlan({
    inputs: number === 'f16' ? { a: packed(a), b: packed(b) } : { a, b },
    outputs: { out: [M, N] },
    build(plan, tensors) {
      const product = {
        ...given,
        aAlongK,
        bAlongK,
        a: { ...tensors.a, shape: a.shape, type: number },
        b: { ...tensors.b, shape: b.shape, type: number },
        c: tensors.out,
      };
      if (slices === undefined) planProducts(plan, 'product', product);
      else planSummedProducts(plan, 'product', { ...product, slices });
    },
  });
  const expected = new Float64Array(M * N);
  for (let m = 0; m < M; m++) {
    for (let n = 0; n < N; n++) {
      for (let k = 0; k < K; k++) {
        const left = a.data[aAlongK ? m * row + k : k * M + m];
        expected[m * N + n] += left * b.data[bAlongK ? n * K + k : k * N + n];
      }
    }
  }
  expectExact('C', out, expected);
}

describe('matrix product', () => {
  const unstaged = { TN: 1, WY: 1, BK: 16, STAGED: false };
  const tiles: Tile[] = [
    // Software adapters need seconds to compile a long unrolled step; a short one has the same indices. The large tiles differ
    // in nothing but their numbers.
    ...TILES.map(({ tile }) => ({ ...tile, BK: tile.TM === 8 ? 8 : 16 })).filter(
      ({ TM }) => TM < 8 || !onSwiftShader,
    ),
    { ...unstaged, TM: 4, WX: 1, WK: 32, SPLIT: true },
    { ...unstaged, TM: 6, WX: 2, WK: 8, SPLIT: true },
    { ...unstaged, TM: 4, WX: 16, WK: 1, SPLIT: false },
  ];
  const cases = [
    ...tiles.map((tile) => ({ name: tileName(tile), tile, K: 36 })),
    { name: 'long sums, staged', tile: TILES[4].tile, K: LONG_SUM + 100 },
    { name: 'long sums, unstaged', tile: tiles[tiles.length - 1], K: LONG_SUM + 100 },
  ];
  test.each(cases)('$name', ({ tile, K }) => expectProduct({ tile, M: 68, N: 132, K }));
});

describe('matrix product on tensor cores, emulated', () => {
  // Emulated, a step takes twice the memory. The large tiles differ in nothing but their numbers.
  const single = MATRIX_TILES.map(({ tile }) => ({ ...tile, BK: 32 })).filter(
    ({ TM, WX, WY }) => TM < 8 && WX * WY <= 128,
  );
  const wide = MATRIX_TILES.map(({ tile }) => tile).filter(
    (tile) => canBeWide(tile) && tile.WX * tile.WY <= 128 && tile.BK === 32,
  );
  const suites = [
    { of: 'float32', number: 'f32' as const, tiles: single, M: 68, N: 132, K: 100 },
    { of: 'values of 16 bits by eights', number: 'f16' as const, tiles: wide, M: 72, N: 136, K: 104 },
  ];
  const cases = suites.flatMap(({ tiles, ...suite }) =>
    // It takes seconds to compile each.
    (onSwiftShader ? tiles.slice(0, 1) : tiles).flatMap((tile) =>
      [true, false].flatMap((aAlongK) =>
        [true, false].map((bAlongK) => ({
          ...suite,
          name: tileName(tile),
          tile: { ...tile, matrices: tile.matrices && { ...tile.matrices, emulated: true } },
          aAlongK,
          bAlongK,
        })),
      ),
    ),
  );
  /** Each pair once. */
  const few = cases.filter(({ number, aAlongK, bAlongK }) => (aAlongK === bAlongK) === (number === 'f16'));
  test.each(onSwiftShader ? few : cases)('$name of $of, A along k: $aAlongK, B along k: $bAlongK', (given) =>
    expectProduct(given),
  );
});

describe('sums in slices', () => {
  const small = { ...TILES[0].tile, TM: 4, TN: 1, WX: 8, WY: 1, STAGED: false };
  const fitting = { ...TILES[5].tile, BK: 8 };
  const cases = [
    // Few, many and very many slices are added up by different kernels, or with different shares per thread.
    ...[1, 2, 7, 8, 63, 64, 130].map((slices) => ({ slices, tile: small, M: 5, N: 12, K: 16 * 130 + 3 })),
    // Whole steps, so no masks, but fewer in the last slice; and slices without steps.
    ...[4, 5, 10].map((slices) => ({ slices, tile: fitting, M: 32, N: 32, K: 8 * 13 })),
  ];
  test.each(cases)('$slices of $K terms', (given) => expectProduct(given));

  test('long sums are cut into slices if that is faster and the slices can be bound', async () => {
    const device = await testDevice();
    const way = (size: number) => chooseWay(device, { M: size, N: size, K: size }, 'f32');
    expect(wayName(way(4096))).toBe('64x128x16 8x8, 3 slices');
    const limit = vi.spyOn(device, 'limit').mockReturnValue(2 ** 27 - 1);
    expect(way(4096).slices).toBe(1);
    limit.mockRestore();
  });
});

describe('implicit GEMM', () => {
  const [large] = CONV_PROBLEMS.filter(({ name }) => name === 'one more than tiles of 32');
  // Too small for staged tiles: sums are shared instead.
  const small = [
    'everything unequal',
    ...(onSwiftShader ? [] : ['groups', '11x11 filter', 'long sums in wgrad']),
  ];
  const cases = [
    { ...large, staged: true },
    { ...strided, staged: true },
    ...CONV_PROBLEMS.filter(({ name }) => small.includes(name)).map((one) => ({ ...one, staged: false })),
  ];
  describe.each(cases)('$name, staged: $staged', ({ problem, staged }) => {
    test.each(DIRECTIONS)('%s', async (direction) => {
      const setting = await settingOf(problem);
      const launches = launchesOf(implicitGemm, setting, direction);
      const launch = launches.find(({ name }) => /unstaged/.test(name) !== staged);
      if (!launch) throw new Error('no such tile among the launches');
      await expectLaunch(implicitGemm, problem, direction, launch, true);
    });
  });
});

describe('convolutions on tensor cores, emulated', () => {
  let restore: () => void;
  beforeAll(async () => {
    restore = pretendMatrices((await testDevice()).adapter);
  });
  afterAll(() => restore());

  const [large] = CONV_PROBLEMS.filter(({ name }) => name === 'one more than tiles of 32');
  const cases = [strided, large].flatMap(({ name, problem }) =>
    DIRECTIONS.map((direction) => ({ name, problem, direction })),
  );
  test.each(cases)('$name, $direction', async ({ problem, direction }) => {
    const setting = await settingOf(problem);
    const launch = launchesOf(implicitGemm, setting, direction).find(({ name }) =>
      name.includes('tensor cores'),
    );
    expect(launch).toBeDefined();
    if (launch)
      await judgeLaunch(implicitGemm, setting, direction, launch, { extras: true, always: !onSwiftShader });
  });
});

test.each(CONV_PROBLEMS.filter(({ name }) => ['groups', 'one channel', 'everything unequal'].includes(name)))(
  'few channels, $name',
  async ({ problem }) => {
    const launches = implicitGemm.fprop(await settingOf(problem));
    const launch = launches.find(({ name }) => name === 'few channels');
    if (!launch) throw new Error('not among the launches');
    await expectLaunch(implicitGemm, problem, 'fprop', launch, true);
  },
);

test('large products use staged tiles that suit their sizes', async () => {
  const device = await testDevice();
  const tile = (M: number, N: number, K: number, sliced = false) =>
    tileName(chooseTile(device, { M, N, K, sliced }));
  expect(tile(4096, 4096, 4096)).toBe('64x128x16 8x8');
  expect(tile(32, 65536, 288)).toMatch(/^32x/);
  expect(tile(64, 576, 65536, true)).toMatch(/^64x64/);
});
