/** The nine cases of a small ResNet engine against cuDNN's algorithms. */
import type { BarFigure, PublishedBar, Study } from '../study.ts';
import { measureCases } from './cases.ts';
import { BASE, CONTESTANTS, LARGEST } from './contestants.ts';
import { measureSetup } from './setup.ts';

const published = (bar: string, ratio: number): PublishedBar => ({
  case: LARGEST,
  bar,
  ratio,
  printed: `${ratio} times`,
  note: 'the largest ratio that the report states for N 16',
});

const bars: BarFigure['bars'] = CONTESTANTS.map(({ name, look }) => ({ name, look }));

const study: Study = {
  name: 'cudnn-algorithms',
  order: 1,
  title: 'cuDNN’s algorithms in a small ResNet engine',
  short: 'cuDNN',
  question:
    'Is a hand-written im2col convolution close to what cuDNN offers when layers are too small to fill a GPU?',
  summary: [
    'awnn trains a simplified ResNet with its own CUDA kernels. Its report compares its convolution (im2col and a matrix multiplication) with four of cuDNN’s algorithms in nine small cases: batches of 1, 4 and 16, filters 1, 4 and 16, always 4 channels of 32 × 32, filters of 3 × 3 and padding 1, averaged over 100 calls.',
    'At 16 images FFT takes up to 9.68 times as long as cuDNN’s implicit GEMM, FFT tiling 11.8, Winograd 1.6, and awnn’s second im2col 7.96: in layers this small, transforms cost more than the multiplications that they save.',
  ],
  source: {
    title: 'awnn, a ResNet with its own CUDA kernels',
    kind: 'Project report',
    authors: 'F. Li, C. Goebel, Y. Fu',
    date: 'May 2019',
    hardware: undefined,
    numbers: 'Its ratios to cuDNN’s implicit GEMM are printed for the largest cases.',
  },
  sizes: {
    small: 'one of the nine cases, 3 samples of 4 calls',
    full: 'nine cases, 10 samples of 100 calls',
  },
  method: [
    'Every kernel is verified against the direct algorithm and float64 before it is timed.',
    'A bar is the fastest variant of its algorithm. Each sample is the mean of consecutive calls; bars show the median, with the 10th and 90th percentile.',
    'Backward is the sum of dgrad and wgrad. dgrad of im2col is the same for both bars: one thread per input value gathers the columns.',
    'Ratios are relative to wgrad’s implicit GEMM in the same case; the report’s are relative to cuDNN’s. A ratio’s range covers both spreads.',
    'Set-up is measured by the wall clock: creating buffers, bind groups and the plan for every call, or once before all calls. Shaders are already compiled.',
  ],
  published: [],
  figures: [
    {
      kind: 'bars',
      name: 'largest',
      title: 'The report’s numbers',
      explanation: 'The largest ratio to GEMM for 16 images, forward or backward.',
      base: BASE,
      bars,
      published: [
        published('im2col by element', 7.96),
        published('FFT', 9.68),
        published('FFT tiling', 11.8),
        published('Winograd', 1.6),
      ],
    },
    {
      kind: 'bars',
      name: 'forward',
      title: 'Forward, nine cases',
      explanation: 'fprop, for 1, 4 and 16 images and as many filters.',
      base: BASE,
      bars,
    },
    {
      kind: 'bars',
      name: 'backward',
      title: 'Backward, nine cases',
      explanation: 'dgrad and wgrad together.',
      base: BASE,
      bars,
    },
    {
      kind: 'bars',
      name: 'setup',
      title: 'Set-up inside or outside the loop',
      explanation:
        'The forward pass of 16 images and 16 filters, with buffers, bind groups and the plan created once, or for every call.',
      base: 'set up once',
      bars: [{ name: 'set up once' }, { name: 'set up for every call' }],
    },
  ],
  async run(context) {
    await measureCases(context);
    await measureSetup(context);
  },
};

export default study;
