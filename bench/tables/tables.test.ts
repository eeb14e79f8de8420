import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/base/result.ts';
import { convolutionCases } from './figures.ts';
import { kernelGroups } from './kernels.ts';
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
  suite: 'layers',
  problem,
  direction,
  algorithm,
  launch,
  status: 'ok',
  error: median / 1e5,
  adapter,
  median_ms: median,
  p10_ms: median * 0.9,
  p90_ms: median * 1.1,
  n: 20,
  a_field_of_later: [],
});
const cudnn = (problem: string, direction: string, mode: string, median: number) => ({
  bench: 'convolution',
  mode,
  problem,
  direction,
  ms: spread(median),
  samples: 10,
  ...pytorch,
});
const [TFJS, JAX] = ['TensorFlow.js 4.22.0, WebGPU', 'jax-js 0.1.25, WebGPU'];
/** A library's rounds at anything, and the ratio to it. */
const turn = (library: string, task: object, ms: object) => ({ library, ...task, ...ms, rounds: 6, adapter });
const inTurns = (ratio_to: string, task: object, times: number) => ({
  ratio_of: 'wgrad 0.1.0',
  ratio_to,
  ...task,
  ratio: spread(times),
  rounds: 6,
  adapter,
});
const convolution = (problem: string, direction: string) => ({ bench: 'convolution', problem, direction });
const ownProduct = (size: number, tile: string, median: number) => ({
  size,
  tile,
  median_ms: median,
  p10_ms: median,
  p90_ms: median,
  n: 20,
  adapter,
});
const torchStep = (mode: string, median: number, precision = 'single') => ({
  bench: 'resnet20-training',
  optimizer: 'sgd',
  batch_size: 128,
  mode,
  precision,
  ms_per_step: spread(median),
  samples: 10,
  ...pytorch,
});
const ownStep = (model: string, batch_size: number, median: number, rest = {}) => ({
  model,
  batch_size,
  optimizer: 'sgd',
  precision: 'single',
  augmentation: 'none',
  ...rest,
  median_ms: median,
  p10_ms: median,
  p90_ms: median,
  n: 20,
  adapter,
});
const lenet5 = { bench: 'lenet5-training', optimizer: 'sgd', batch_size: 64 };
const searched = (suite: string, count: number, problem: string, best_ms: number | null, get_ms: number) => ({
  suite,
  count,
  problem,
  direction: 'fprop',
  number: 'f32',
  best_ms,
  get_ms,
  search_seconds: 2,
  adapter,
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
  turn(TFJS, convolution(THREE, 'fprop'), { ms: spread(0.6) }),
  launched(FIVE, 'wgrad', 'implicit_gemm', 0.8),
  cudnn(FIVE, 'wgrad', 'eager', 0.4),
  turn('wgrad 0.1.0', convolution(FIVE, 'wgrad'), { ms: spread(0.9) }),
  turn(TFJS, convolution(FIVE, 'wgrad'), { ms: spread(24) }),
  inTurns(TFJS, convolution(FIVE, 'wgrad'), 29),
  turn(JAX, convolution(FIVE, 'wgrad'), { ms: spread(4) }),
  inTurns(JAX, convolution(FIVE, 'wgrad'), 4.5),
  launched(ONE, 'fprop', 'gemm_1x1', 0.08),
  cudnn(ONE, 'fprop', 'eager', 0.02),
  ownProduct(1000, '64x64x32 4x4', 0.1),
  ownProduct(1000, '128x64x16 8x4', 0.08),
  { bench: 'gemm', size: 1000, ms: spread(0.05), samples: 10, ...pytorch },
  turn('wgrad 0.1.0', { bench: 'gemm', size: 1000, tile: '128x64x16 8x4' }, { ms: spread(0.09) }),
  turn(JAX, { bench: 'gemm', size: 1000 }, { ms: spread(0.4) }),
  inTurns(JAX, { bench: 'gemm', size: 1000 }, 5),
  ownProduct(500, '64x64x32 4x4', 0.025),
  ownStep('resnet20', 128, 2.5),
  ownStep('resnet20', 128, 1.5, { precision: 'mixed' }),
  torchStep('cuda graph', 5),
  torchStep('tf32, compiled, channels_last', 2),
  torchStep('cuda graph', 3, 'mixed'),
  ownStep('resnet20', 128, 1, { augmentation: 'flip' }),
  { ...lenet5, mode: 'eager', ms_per_step: spread(1.4), samples: 10, ...pytorch },
  { ...lenet5, mode: 'cuda graph', ms_per_step: spread(0.25), samples: 10, ...pytorch },
  ownStep('lenet5', 64, 0.125),
  turn('wgrad 0.1.0', lenet5, { ms_per_step: spread(0.16) }),
  turn(TFJS, lenet5, { ms_per_step: spread(22) }),
  turn(JAX, lenet5, { ms_per_step: spread(3) }),
  inTurns(TFJS, lenet5, 135),
  inTurns(JAX, lenet5, 20),
  searched('alexnet', 1, THREE, 1, 1.5),
  searched('alexnet', 1, THREE, 1, 1),
  searched('alexnet', 3, ONE, 2, 3),
  searched('vgg19', 1, FIVE, null, 3),
  searched('vgg19', 1, ONE, 4, 4),
  { suite: 'alexnet', direction: 'all', number: 'f32', problems: 2, mean_regret: 0.1, adapter },
  { model: 'lenet5', batch_size: 128, median_ms: 0.1, adapter },
];

describe('figures', () => {
  test('problems that nobody else was measured in are left out, unless they are all', () => {
    const alone = launched(THREE, 'dgrad', 'direct', 1);
    expect(convolutionCases(read(...LINES, alone).convolutions)).toHaveLength(3);
    expect(convolutionCases(read(alone).convolutions)).toMatchObject([
      { problem: THREE, direction: 'dgrad' },
    ]);
  });

  test('all launches of a search are read', () => {
    const row = (algorithm: string, median: number) => ({
      algorithm,
      launch: 'only',
      status: 'ok',
      n: 5,
      median_ms: median,
      p10_ms: median,
      p90_ms: median,
    });
    const table = [row('direct', 3), { algorithm: 'im2col_gemm', status: 'failed' }, row('fft', 1)];
    const search = { ...searched('layers', 1, THREE, null, 1), direction: 'dgrad', table };
    const { convolutions, adapters } = read(search);
    expect(convolutions.wgrad).toMatchObject([
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
  for (const line of [
    '| N128 C128 16x16 K128 3x3 p1x1 | fprop | winograd_f4x3: non-fused | 0.120 [0.108, 0.132] | 80.5 | 0.240 | 0.50 | 0.600 | 5.00 | - | - |',
    '| N64 C64 32x32 K64 5x5 p2x2 | wgrad | implicit_gemm: only | 0.800 [0.720, 0.880] | 16.8 | 0.400 | 2.00 | 24.0 | 29.0 [26.1, 31.9] | 4.00 | 4.50 [4.05, 4.95] |',
    '1.00 as the geometric mean of 2; 2.00 at worst (N64 C64 32x32 K64 5x5 p2x2, wgrad)',
    '| N64 C64 32x32 K64 1x1 | fprop | gemm_1x1: only | 0.0800 [0.0720, 0.0880] | 6.71 | 0.0200 | 4.00 | - | - | - | - |',
    'Times TensorFlow.js, at least: fprop 5.00 (N128 C128 16x16 K128 3x3 p1x1), wgrad 29.0 (N64 C64 32x32 K64 5x5 p2x2).',
    'Times jax-js, at least: wgrad 4.50 (N64 C64 32x32 K64 5x5 p2x2).',
    'Winograd is 2.00 times as fast as implicit GEMM',
    "wgrad's at sampled places 8.0e-6 (N64 C64 32x32 K64 5x5 p2x2, wgrad, implicit_gemm).",
    // TensorFlow.js has no products here, and so no column.
    '| size | wgrad | PyTorch (cuBLAS) | jax-js | times jax-js [10 %, 90 %] |',
    '| 1000 | 25.0 | 40.0 | 5.00 | 5.00 [4.50, 5.50] |',
    '| 500 | 10.0 | - | - | - |',
    '## A training step of LeNet-5, median milliseconds',
    '| optimiser | batch | PyTorch | float32 |\n| --- | --: | --- | --: |\n| sgd | 64 | eager | 1.40 |\n| sgd | 64 | CUDA graph | 0.250 |\n',
    '| sgd | 64 | 0.125 [0.125, 0.125] | 0.160 | 22.0 | 135 [122, 149] | 3.00 | 20.0 [18.0, 22.0] |',
    'n: wgrad 20, PyTorch 10, in turns 6 rounds.',
    '## A training step of ResNet-20, median milliseconds\n\n| optimiser | batch | precision | wgrad [10 %, 90 %] |\n',
    '| sgd | 128 | single | 2.50 [2.50, 2.50] |',
    '| sgd | 128 | mixed | 1.50 [1.50, 1.50] |',
    '| optimiser | batch | PyTorch | float32 | TF32 | bfloat16 |',
    '| sgd | 128 | CUDA graph | 5.00 | - | 3.00 |',
    '| sgd | 128 | compiled, channels last | - | 2.00 | - |',
    '| alexnet | 2 | 37.5 % | 7.00 | 10.00 | 42.9 % | 2.00 [2.00, 2.00] | 4 |',
    '| vgg19 | 1 | 0.0 % | 4.00 | 4.00 | 0.0 % | 2.00 [2.00, 2.00] | 2 |',
    '| all | 3 | 30.0 % | 11.00 | 14.00 | 27.3 % | 2.00 [2.00, 2.00] | 6 |',
  ]) {
    expect(page).toContain(line);
  }
});

describe('what a step goes into', () => {
  const kernel = (name: string, ms: number, flop: number, bytes: number) => ({
    kernel: name,
    ms,
    flop,
    bytes,
  });
  const profiled = (kernels: object[]) => ({
    ...ownStep('resnet20', 128, 3),
    kernels,
    ceilings: { product: { flopPerSecond: 40e12 }, copy: { bytesPerSecond: 2e12 } },
  });
  const few = [
    kernel('layer1.0.conv1 fprop', 0.1, 2e9, 1e6),
    kernel('layer2.0.conv2 fprop', 0.3, 2e9, 1e6),
    kernel('sgd', 0.4, 0, 4e8),
  ];

  test('few kernels are told one by one, many by kind', () => {
    const [profile] = read(profiled(few)).profiles;
    expect(kernelGroups(profile, 3)).toMatchObject([
      { kernel: 'sgd', count: 1, share: 0.5, ofRoofline: 0.5 },
      { kernel: 'layer2.0.conv2 fprop', count: 1 },
      { kernel: 'layer1.0.conv1 fprop', ofRoofline: 0.5 },
    ]);
    const kinds = kernelGroups(profile, 2);
    expect(kinds.map(({ kernel: kind }) => kind).sort()).toEqual(['conv fprop', 'sgd']);
    const conv = kinds.find(({ kernel: kind }) => kind === 'conv fprop');
    expect(conv).toMatchObject({ count: 2, flop: 4e9, bytes: 2e6 });
    expect(conv?.share).toBeCloseTo(0.5, 12);
    expect(conv?.ofRoofline).toBeCloseTo(0.25, 12);
  });

  test('layers that are called by numbers keep the word before', () => {
    const [profile] = read(profiled([kernel('layer2.0.downsample.0 dgrad', 1, 1, 1)])).profiles;
    expect(kernelGroups(profile, 0)[0].kernel).toBe('downsample dgrad');
  });

  test('the page has them', () => {
    const page = pageOf(read(profiled(few)));
    expect(page).toContain('### What a step of ResNet-20 goes into: sgd, batch 128');
    expect(page).toContain('| sgd | 1 | 400 | 50 % | - | 400 | - | 1000 | 50 % |');
    expect(page).toContain('0.800 ms in sum. The step took 3.00 ms');
    expect(page).toContain('40.0 TFLOP/s in a large product, 2000 GB/s');
  });

  test('a profile without ceilings is told', () => {
    const { kernels, ...rest } = profiled(few);
    expect(() => read({ ...rest, ceilings: {}, kernels })).toThrow('"ceilings"');
  });
});

test('what was not measured has no table', () => {
  const page = pageOf(read(ownProduct(500, '64x64x32 4x4', 0.025)));
  expect(page).toBe(
    [
      ...[
        adapter,
        '',
        '## Matrix products, TFLOP/s',
        '',
        '| size | wgrad |',
        '| --: | --: |',
        '| 500 | 10.0 |',
      ],
      ...['', 'n: wgrad 20.'],
    ].join('\n'),
  );
});
