/** The nine cases of a small ResNet engine against cuDNN's algorithms. */
import type { BarFigure, Study } from '../study.ts';
import { printed } from '../published.ts';
import { measureCases, RESULTS } from './cases.ts';
import { BASE, CONTESTANTS, LARGEST, type Pass } from './contestants.ts';
import { LAUNCH_COLUMNS, measureLaunches } from './launches.ts';
import { measureParts } from './parts.ts';
import { PRINTED } from './published.ts';
import { measureSetup } from './setup.ts';

const barsOf = (pass: Pass): BarFigure['bars'] =>
  CONTESTANTS.flatMap(({ bars, look }) => (bars[pass] === undefined ? [] : [{ name: bars[pass], look }]));

const { fft, fftTiling, winograd, own, abstract, fewBlocks, manyBlocks, fewThreads, manyThreads } = PRINTED;

const study: Study = {
  name: 'cudnn-algorithms',
  order: 1,
  title: 'cuDNN’s algorithms in a small ResNet engine',
  short: 'cuDNN',
  question:
    'Is a hand-written im2col convolution close to what cuDNN offers when layers are too small to fill a GPU?',
  summary: [
    'awnn trains a simplified ResNet with its own CUDA kernels. Its report compares its convolution (im2col and a matrix multiplication, in two versions) with four of cuDNN’s algorithms in nine small cases: batches of 1, 4 and 16, filters 1, 4 and 16, always 4 channels of 32 × 32, filters of 3 × 3, padding 1 and stride 1, averaged over 100 calls. Backward, it compares its own with implicit GEMM and FFT only.',
    `At 16 images FFT takes up to ${fft.value} times as long as cuDNN’s implicit GEMM, FFT tiling ${fftTiling.value} and Winograd ${winograd.value} (both forward), and awnn’s second version ${own.value}. The abstract says “${printed(abstract)}”. With one image, its second version is always faster than its first; FFT is slower backward than forward. That transforms cost more in layers this small than the multiplications that they save is our reading.`,
  ],
  source: {
    title: 'ResNet with efficient GPU kernels',
    kind: 'Project report on the library awnn',
    authors: 'F. Li, C. Goebel, Y. Fu',
    date: 'May 2019',
    hardware: undefined,
    numbers:
      'It prints the largest ratios to cuDNN’s implicit GEMM for 16 images, and how exact its cuDNN layer is. All other times are charts.',
  },
  sizes: {
    small: 'one of the nine cases, 3 samples of 4 calls',
    full: 'nine cases, 10 samples of 100 calls',
  },
  method: [
    'Every algorithm is verified against the direct one and float64 before it is timed.',
    'A bar is the fastest variant of its algorithm. Each sample is the mean of consecutive calls; bars show the median, with the 10th and 90th percentile.',
    `Ratios are relative to ${BASE} in the same case and direction; the report’s are relative to cuDNN’s. A ratio’s range covers both spreads.`,
    'Backward is the sum of dgrad and wgrad.',
    'Here, im2col v1 writes with one thread per filter position, v2 with one per element of the columns. col2im v1 gathers with one thread per position of the image, for all of its channels, v2 with one per element. wgrad takes im2col of the same version.',
    'awnn’s col2im adds columns where they overlap by atomics. wgrad’s gathers in the order of the filter’s rows and columns instead: WGSL has atomics for integers only, and sums by atomics depend on the order in which threads happen to run.',
    'Parts are dispatches that are timed one at a time, in the second version. Transposes and padding are wgrad’s kernels too, but no part of its convolution: im2col reads N C H W and pads as it reads, and col2im leaves the padding out.',
    'Launch parameters: im2col or col2im alone. With fewer workgroups than the work needs, each thread computes several items. In the Lab, and in conv and bench conv with --workgroup-size and --workgroups, both can be any number that the device supports.',
    'Set-up is measured by the wall clock: creating buffers, bind groups and the plan for every call, or once before all calls. Shaders are already compiled.',
  ],
  published: Object.values(PRINTED),
  figures: [
    {
      kind: 'bars',
      name: 'largest',
      title: 'The report’s numbers',
      explanation: `The largest ratio in the cases of 16 images: here to ${BASE} in the same case, in the report to cuDNN’s.`,
      base: BASE,
      bars: [
        ...LARGEST.map(({ bar, look }) => ({ name: bar, look })),
        { name: BASE, look: CONTESTANTS[0].look },
      ],
      published: LARGEST.map(({ case: name, bar, printed: one }) => ({
        case: name,
        bar,
        ratio: Number(one.value),
        printed: printed(one),
        note: one.what,
      })),
    },
    {
      kind: 'bars',
      name: 'forward',
      title: 'Forward, nine cases',
      explanation: 'fprop, for 1, 4 and 16 images and as many filters.',
      base: BASE,
      bars: barsOf('forward'),
    },
    {
      kind: 'bars',
      name: 'backward',
      title: 'Backward, nine cases',
      explanation: 'dgrad and wgrad together, of the algorithms that the report compares backward.',
      base: BASE,
      bars: barsOf('backward'),
    },
    {
      kind: 'table',
      name: 'parts',
      title: 'Parts of the own kernels’ time',
      explanation:
        '16 images and 16 filters (4 in the short run), v2. The report transposes and pads by separate kernels; here they take no time of their own, and their rows say what they would cost.',
      columns: [
        { name: 'pass', title: 'Pass', key: true },
        { name: 'part', title: 'Part', key: true },
        { name: 'ms', title: 'Time', unit: 'ms' },
        { name: 'share', title: 'Share here', unit: 'percent' },
        { name: 'withSeparate', title: 'Share if all were separate', unit: 'percent' },
      ],
    },
    {
      kind: 'table',
      name: 'launches',
      title: 'Launch parameters',
      explanation: `The report’s search: ${fewBlocks.value} or ${manyBlocks.value} blocks of ${fewThreads.value} or ${manyThreads.value} threads. Here also fewer threads, and as many blocks as there is work, for the same convolution as above.`,
      columns: LAUNCH_COLUMNS,
    },
    {
      kind: 'table',
      name: 'accuracy',
      title: 'Accuracy',
      explanation:
        'The report checks its cuDNN layer against numpy, and gradients by numerical differentiation, which is itself inexact. Here: the largest relative error of implicit GEMM against float64, at sampled places of all cases.',
      columns: [
        { name: 'result', title: 'Result', key: true },
        { name: 'published', title: 'Report', published: true },
        { name: 'error', title: 'Here', unit: 'error' },
      ],
      given: [
        { result: RESULTS.fprop, published: PRINTED.forwardError.value },
        { result: RESULTS.dgrad, published: PRINTED.inputError.value },
        { result: RESULTS.wgrad, published: PRINTED.weightError.value },
      ],
    },
    {
      kind: 'bars',
      name: 'setup',
      title: 'Set-up inside or outside the loop',
      explanation:
        'The report’s Figure 6, for the forward pass of the same convolution: buffers, bind groups and the plan created once, or for every call.',
      base: 'set up once',
      bars: [{ name: 'set up once' }, { name: 'set up for every call' }],
    },
  ],
  async run(context) {
    await measureCases(context);
    await measureSetup(context);
    await measureParts(context);
    await measureLaunches(context);
  },
};

export default study;
