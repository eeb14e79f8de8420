import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/base/result.ts';
import { casesOf, fewestTimes, geometricMean, productsOf, ratiosOf, winogradGains } from './figures.ts';
import { readLines } from './lines.ts';
import { pageOf } from './page.ts';

const THREE = 'n128 c128 16x16 k128 3x3 s1x1 p1x1 d1x1 g1';
const FIVE = 'n64 c64 32x32 k64 5x5 s1x1 p2x2 d1x1 g1';
const ONE = 'n64 c64 32x32 k64 1x1 s1x1 p0x0 d1x1 g1';
const adapter = 'NVIDIA H200 (driver 580.1)';
const pytorch = { library: 'PyTorch 2.11.0', adapter };
const spread = (median: number) => ({ median, p10: median * 0.9, p90: median * 1.1 });
const launched = (
  problem: string,
  direction: string,
  algorithm: string,
  median: number,
  launch = 'only',
) => ({
  ...{ suite: 'layers', problem, direction, algorithm, launch, status: 'ok', tflops: 1 / median, adapter },
  ...{ median_ms: median, p10_ms: median * 0.9, p90_ms: median * 1.1, n: 20, a_field_of_later: [] },
});
const cudnn = (problem: string, direction: string, mode: string, median: number) => ({
  ...{ bench: 'convolution', mode, problem, direction, ms: spread(median), ...pytorch },
});
const tfjs = (problem: string, direction: string, median: number) => ({
  ...{ bench: 'convolution', library: 'TensorFlow.js 4.22.0, WebGPU', problem, direction, adapter },
  ms: spread(median),
});
const inTurns = (problem: string, direction: string, times: number) => ({
  ...{ bench: 'convolution', ratio_of: 'wgrad 0.1.0', ratio_to: 'TensorFlow.js 4.22.0, WebGPU', adapter },
  ...{ problem, direction, ratio: spread(times) },
});

const read = (...all: object[]) =>
  readLines([{ name: 'lines', text: `${all.map((one) => JSON.stringify(one)).join('\n')}\n` }]);

/** wgrad to cuDNN: 0.5, 2 and, with 1x1, 4. */
const LINES = [
  launched(THREE, 'fprop', 'implicit_gemm', 0.3, 'slow'),
  launched(THREE, 'fprop', 'implicit_gemm', 0.24, 'fast'),
  launched(THREE, 'fprop', 'winograd_f2x3', 0.2),
  launched(THREE, 'fprop', 'winograd_f4x3', 0.12, 'non-fused'),
  { ...launched(THREE, 'fprop', 'fft', 0.01), status: 'wrong', reason: 'y[0] is 1, and in float64 2' },
  { ...launched(THREE, 'fprop', 'winograd_f4x3', 0.001), number: 'f16' },
  cudnn(THREE, 'fprop', 'eager', 0.26),
  cudnn(THREE, 'fprop', 'cuda graph', 0.24),
  tfjs(THREE, 'fprop', 0.6),
  launched(FIVE, 'wgrad', 'implicit_gemm', 0.8),
  cudnn(FIVE, 'wgrad', 'eager', 0.4),
  tfjs(FIVE, 'wgrad', 24),
  inTurns(FIVE, 'wgrad', 29),
  launched(ONE, 'fprop', 'gemm_1x1', 0.08),
  cudnn(ONE, 'fprop', 'eager', 0.02),
  { size: 1024, tile: '64x64x32 4x4', tflops: 24, adapter },
  { size: 1024, tile: '128x64x16 8x4', tflops: 26, adapter },
  { bench: 'gemm', size: 1024, tflops: 38, ...pytorch },
  { size: 512, tile: '64x64x32 4x4', tflops: 9, adapter },
  { bench: 'lenet5-training', mode: 'eager', batch_size: 64, ...pytorch },
];

describe('figures', () => {
  const cases = casesOf(read(...LINES));

  test('a case has the fastest launch, the fastest mode and the ratios', () => {
    expect(cases.map(({ problem, direction }) => [problem, direction])).toEqual([
      [THREE, 'fprop'],
      [FIVE, 'wgrad'],
      [ONE, 'fprop'],
    ]);
    const [three, five, one] = cases;
    expect(three.wgrad).toMatchObject({
      algorithm: 'winograd_f4x3',
      launch: 'non-fused',
      ms: { median: 0.12 },
    });
    expect(three.cudnn?.ms.median).toBe(0.24);
    expect(three.toCudnn).toBeCloseTo(0.5, 12);
    expect(three.timesTfjs).toBeCloseTo(5, 12);
    // What was measured in turns counts more than what the times alone would give.
    expect(five.timesTfjs).toEqual(spread(29));
    expect(one.tfjs).toBeUndefined();
    expect(one.timesTfjs).toBeUndefined();
  });

  test('the geometric mean and the worst leave out filters of 1x1', () => {
    const ratios = ratiosOf(cases);
    expect(ratios?.count).toBe(2);
    expect(ratios?.geometricMean).toBeCloseTo(1, 12);
    expect(ratios?.worst).toMatchObject({ problem: FIVE, direction: 'wgrad' });
    expect(ratios?.worst.toCudnn).toBeCloseTo(2, 12);
    expect(ratiosOf(cases.slice(2))).toBeUndefined();
  });

  test('geometric means', () => {
    expect(geometricMean([1, 8])).toBeCloseTo(Math.sqrt(8), 12);
    expect(geometricMean([0.5, 0.5, 4])).toBeCloseTo(1, 12);
  });

  test('the fewest times TensorFlow.js, for each direction that was measured', () => {
    expect(fewestTimes(cases)).toMatchObject([
      { direction: 'fprop', problem: THREE },
      { direction: 'wgrad', problem: FIVE, times: 29 },
    ]);
  });

  test('Winograd to implicit GEMM at C = K = 128, the fastest of both', () => {
    const gains = winogradGains(read(...LINES));
    expect(gains).toMatchObject([
      {
        problem: THREE,
        direction: 'fprop',
        winograd: { ms: { median: 0.12 } },
        implicit: { launch: 'fast' },
      },
    ]);
    expect(gains[0].times).toBeCloseTo(2, 12);
  });

  test('the fastest product of each size', () => {
    expect(productsOf(read(...LINES))).toEqual([
      { size: 512, wgrad: 9, cublas: undefined },
      { size: 1024, wgrad: 26, cublas: 38 },
    ]);
  });

  test('all launches of a search are read', () => {
    const row = (algorithm: string, median: number) => ({
      ...{ algorithm, launch: 'only', status: 'ok', tflops: 1 },
      ...{ median_ms: median, p10_ms: median, p90_ms: median },
    });
    const table = [row('direct', 3), { algorithm: 'im2col_gemm', status: 'failed' }, row('fft', 1)];
    const { wgrad, adapters } = read({ problem: THREE, direction: 'dgrad', number: 'f32', table, adapter });
    expect(wgrad).toMatchObject([
      { problem: THREE, direction: 'dgrad', algorithm: 'direct' },
      { problem: THREE, direction: 'dgrad', algorithm: 'fft' },
    ]);
    expect([...adapters]).toEqual([adapter]);
  });
});

describe('lines that are not as expected', () => {
  const wrong = { ...launched(THREE, 'fprop', 'direct', 1), median_ms: null };
  test.each([
    ['not JSON', 'median', /^lines, line 2: /],
    ['no object', '[1]', 'lines, line 2: expected an object'],
    ['no time', JSON.stringify(wrong), 'lines, line 2: "median_ms": expected a number above 0, found null'],
  ])('%s', (_, second, message) => {
    const text = `${JSON.stringify(LINES[0])}\n${second}`;
    expect(() => readLines([{ name: 'lines', text }])).toThrow(Failure);
    expect(() => readLines([{ name: 'lines', text }])).toThrow(message);
  });
});

test('the page says what is in the lines', () => {
  const page = pageOf(read(...LINES));
  expect(page).toContain(
    '| N128 C128 16x16 K128 3x3 p1x1 | fprop | winograd_f4x3: non-fused | 0.120 [0.108, 0.132] | 8.33 | 0.240 | 0.50 | 0.600 | 5.00 |',
  );
  expect(page).toContain(
    '| N64 C64 32x32 K64 5x5 p2x2 | wgrad | implicit_gemm: only | 0.800 [0.720, 0.880] | 1.25 | 0.400 | 2.00 | 24.0 | 29.0 [26.1, 31.9] |',
  );
  expect(page).toContain(
    '1.00 as the geometric mean of 2; 2.00 at worst (N64 C64 32x32 K64 5x5 p2x2, wgrad)',
  );
  expect(page).toContain('Winograd is 2.00 times as fast as implicit GEMM');
  expect(page).toContain('| 1024 | 26.0 | 38.0 |');
  expect(page).toContain('| 512 | 9.00 | - |');
});
