/** The forward pass that a course on GPU programming optimises: phases, layers, kernels, API calls, and the steps of one kernel. */
import { TUNED } from '../../engine/ops/conv/algorithms/direct/ladder.ts';
import { NAMES } from '../../engine/ops/conv/algorithms/direct/names.ts';
import type { Study } from '../study.ts';
import { COPIES, measureSets } from './sets.ts';
import { stepSources } from './sources.ts';
import { LOOPS, measureSteps, PLAIN, STEPS, TOTAL } from './steps.ts';

/** Milliseconds of the reports: both convolutions, 10,000 images. */
const REPORTED: readonly (readonly [step: string, ms: number])[] = [
  [LOOPS, 9900],
  [PLAIN, 33],
  [NAMES.tile, 46],
  [NAMES.uniform, 42],
  [TUNED, 14.9],
];
const REPORTED_PLAIN = 33;

const study: Study = {
  name: 'forward',
  order: 3,
  title: 'Forward over 10,000, 1,000 and 100 images',
  short: 'Forward pass',
  question:
    'Where does the time of a forward pass go, and what does each optimisation of its convolutions gain?',
  summary: [
    'The course project times the forward pass of a network with two convolutions on the 10,000 test images of Fashion-MNIST. Profiles show the kernels and API calls that take 90 % of the time: with cuDNN, copies took 39 %, implicit GEMM 21 %, complex GEMM 12 % and FFT 6 %.',
    'Then its authors wrote the convolution themselves. Loops on the CPU took 9.9 s for both layers and a plain GPU kernel 33 ms. An input tile in shared memory made it slower, 46 ms, because the second layer has many channels; weights in constant memory took 42 ms, and one kernel per layer, each with its own tile width, 14.9 ms.',
  ],
  source: {
    title: 'Optimising the forward pass of a convolutional network',
    kind: 'Course project, ECE 408',
    authors: undefined,
    date: undefined,
    numbers: 'It prints them all.',
    hardware: 'An NVIDIA GPU with cuDNN; times of the forward convolutions over 10,000 images.',
    further: 'The network of the project’s first year, github.com/illinois-impact/ece408_project.',
  },
  sizes: {
    small: '40, 20 and 10 images, 1 sample; convolutions of 2 images',
    full: '10,000, 1,000 and 100 images, 7 samples; convolutions of 1,000 images',
  },
  method: [
    'Images are random bytes, because times do not depend on them: they are uploaded, normalised on the device, and run in batches of up to 1,000; the logits are read back at the end. Each phase ends when the device reports it done.',
    'Setup creates buffers, shaders and pipelines and loads weights. Kernels that are already compiled are not compiled again. The whole program is setup and the first run; the other times are medians of later runs.',
    'Kernels are timed one by one, repeatedly, by the device’s clock if it has one; layers are sums of their kernels.',
    'The CPU is wgrad’s CPU engine: the same shaders, compiled to WebAssembly, on all cores.',
    'API calls are those of setup and the first run, timed on the CPU. Calls that wait last until the device is done, and they overlap.',
    'Each step of the direct kernel is verified against float64; the fastest of its variants counts. If a layer cannot use a step, its input tile alone counts in the total: more than 64 KiB of weights do not fit a uniform buffer, and with one channel, staging all channels changes nothing. Loops run in JavaScript on one core with 20 images, the CPU engine with 100, and their times are scaled.',
  ],
  published: [],
  figures: [
    {
      kind: 'bars',
      name: 'steps',
      title: 'From loops to a tuned kernel',
      explanation:
        'Both convolutions together, then each, relative to the plain kernel with one thread per output. The report’s numbers are for both together.',
      base: PLAIN,
      bars: STEPS.map(({ name, look }) => ({ name, ...(look ? { look } : {}) })),
      published: REPORTED.map(([bar, ms]) => ({
        case: TOTAL,
        bar,
        printed: `${ms} ms`,
        ratio: ms / REPORTED_PLAIN,
        note: 'both layers, 10,000 images',
      })),
    },
    {
      kind: 'table',
      name: 'optimisations',
      title: 'The optimisation table',
      explanation:
        'The times of the report’s table. Theirs are for 10,000 images, these for as many as the row says; ratios are relative to one thread per output.',
      columns: [
        { name: 'step', title: 'Step', key: true },
        { name: 'published', title: 'Report', unit: 'ms', published: true },
        { name: 'published_ratio', title: 'Report’s ratio', unit: 'ratio', published: true },
        { name: 'conv1', title: 'conv1', unit: 'ms', wide: true },
        { name: 'conv2', title: 'conv2', unit: 'ms', wide: true },
        { name: 'total', title: 'Total', unit: 'ms' },
        { name: 'ratio', title: 'Ratio', unit: 'ratio' },
        { name: 'images', title: 'Images', unit: 'count', wide: true },
      ],
      given: STEPS.map(({ name: step }) => {
        const ms = REPORTED.find(([reported]) => reported === step)?.[1];
        return {
          step,
          published: ms ?? null,
          published_ratio: ms === undefined ? null : ms / REPORTED_PLAIN,
        };
      }),
    },
    {
      kind: 'table',
      name: 'kernels',
      sorted: 'share',
      title: 'Kernels that make up 90 % of the time',
      explanation: 'For the largest number of images, copies included, with the report’s shares.',
      columns: [
        { name: 'what', title: 'Kernel or copy', key: true },
        { name: 'ms', title: 'Time', unit: 'ms' },
        { name: 'share', title: 'Share', unit: 'percent' },
        { name: 'cumulative', title: 'Cumulative', unit: 'percent' },
        { name: 'published', title: 'In the report', unit: 'percent', published: true },
      ],
      given: [
        { what: COPIES, published: 0.39 },
        { what: 'implicit GEMM (cuDNN)', published: 0.21 },
        { what: 'complex GEMM (cuDNN)', published: 0.12 },
        { what: 'FFT (cuDNN)', published: 0.06 },
      ],
    },
    {
      kind: 'table',
      name: 'sets',
      title: 'Whole-program time',
      explanation: 'Setup, upload, forward passes and read-back, by the number of images, on GPU and CPU.',
      columns: [
        { name: 'images', title: 'Images', unit: 'count', key: true },
        { name: 'place', title: 'On', key: true },
        { name: 'program', title: 'Whole program', unit: 'ms' },
        { name: 'setup', title: 'Setup', unit: 'ms' },
        { name: 'upload', title: 'Upload', unit: 'ms' },
        { name: 'compute', title: 'Forward', unit: 'ms' },
        { name: 'read', title: 'Read-back', unit: 'ms', wide: true },
        { name: 'steady', title: 'Later runs', unit: 'ms', wide: true },
        { name: 'image', title: 'Per image', unit: 'ms' },
      ],
    },
    {
      kind: 'table',
      name: 'layers',
      title: 'Op times by layer',
      explanation: 'The sum of a layer’s kernels over all images.',
      columns: [
        { name: 'images', title: 'Images', unit: 'count', key: true },
        { name: 'layer', title: 'Layer', key: true },
        { name: 'op', title: 'Op', wide: true },
        { name: 'gpu', title: 'GPU', unit: 'ms' },
        { name: 'cpu', title: 'CPU', unit: 'ms' },
        { name: 'ratio', title: 'CPU to GPU', unit: 'ratio' },
      ],
    },
    {
      kind: 'table',
      name: 'calls',
      title: 'API calls',
      explanation: 'Of setup and the first run, for the largest number of images.',
      columns: [
        { name: 'call', title: 'Call', key: true },
        { name: 'times', title: 'Calls', unit: 'count' },
        { name: 'ms', title: 'Time', unit: 'ms' },
        { name: 'share', title: 'Share', unit: 'percent' },
        { name: 'waits', title: 'Waits', wide: true },
      ],
    },
  ],
  sources: stepSources,

  async run(context) {
    const cpu = await context.openCpu?.();
    try {
      await measureSets(context, cpu);
      await measureSteps(context, cpu);
    } finally {
      cpu?.destroy();
    }
  },
};

export default study;
