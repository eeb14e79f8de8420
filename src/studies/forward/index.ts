/** The forward pass that a course on GPU programming optimises: phases, layers, kernels, API calls, and the steps of one kernel. */
import { NAMES } from '../../engine/ops/conv/algorithms/direct/names.ts';
import type { Study } from '../study.ts';
import { measureSets } from './sets.ts';
import { FASTEST, LOOPS, measureSteps, PLAIN } from './steps.ts';

const study: Study = {
  name: 'forward',
  order: 3,
  title: 'Forward over 10,000, 1,000 and 100 images',
  short: 'Forward pass',
  question:
    'Where does the time of a forward pass go, and what does each optimisation of its convolutions gain?',
  summary: [
    'The course project takes a network of two convolutions for Fashion-MNIST and times its forward pass on the 10,000 test images. Profiles show the kernels and API calls that take 90 % of the time: with cuDNN, copies took 39 %, implicit GEMM 21 %, complex GEMM 12 % and FFT 6 %.',
    'Then its reports write the convolution themselves. Loops on the CPU took 9.9 s for both layers and a plain GPU kernel 33 ms. An input tile in shared memory made it slower, 46 ms, because the second layer has many channels; weights in constant memory brought 42 ms, and a kernel for each layer with its own tile width 14.9 ms.',
  ],
  source: {
    title: 'Optimising the forward pass of a convolutional network',
    kind: 'Course project, ECE 408',
    hardware: 'An NVIDIA GPU with cuDNN; times of the forward convolutions over 10,000 images.',
    further: 'The network is that of the project’s first year, github.com/illinois-impact/ece408_project.',
  },
  sizes: {
    small: '40, 20 and 10 images, 1 sample; convolutions of 2 images',
    full: '10,000, 1,000 and 100 images, 7 samples; convolutions of 1,000 images',
  },
  method: [
    'Images are random bytes, because times do not depend on them: they are uploaded, normalised on the device, and run in batches of up to 1,000; the logits are read back at the end. Each phase ends when the device reports it done.',
    'Setup is loading: buffers, shaders, pipelines and weights. Kernels that were compiled before are not compiled again. The whole program is setup and the first run; the other times are medians of the runs after it.',
    'Kernels are timed one by one, repeated, by the device’s clock where it has one; layers are sums of their kernels.',
    'API calls are those of setup and the first run together, timed on the CPU. Calls that wait last until the device is done, and overlap.',
    'Each step of the direct kernel is verified against float64 and compared with the plain kernel. Loops run in JavaScript on one core with 20 images, and their time is scaled.',
  ],
  figures: [
    {
      kind: 'table',
      name: 'sets',
      title: 'Whole-program time',
      explanation: 'Setup, upload, forward passes and read-back, by the number of images.',
      columns: [
        { name: 'images', title: 'Images', unit: 'count', key: true },
        { name: 'program', title: 'Whole program', unit: 'ms' },
        { name: 'setup', title: 'Setup', unit: 'ms' },
        { name: 'upload', title: 'Upload', unit: 'ms' },
        { name: 'compute', title: 'Forward', unit: 'ms' },
        { name: 'read', title: 'Read-back', unit: 'ms', wide: true },
        { name: 'steady', title: 'Again', unit: 'ms', wide: true },
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
        { name: 'ms', title: 'Time', unit: 'ms' },
        { name: 'image', title: 'Per image', unit: 'ms' },
      ],
    },
    {
      kind: 'table',
      name: 'kernels',
      title: 'Kernels that make up 90 % of the time',
      explanation: 'For the largest number of images, copies included; the report’s shares beside them.',
      columns: [
        { name: 'what', title: 'Kernel or copy', key: true },
        { name: 'ms', title: 'Time', unit: 'ms' },
        { name: 'share', title: 'Share', unit: 'percent' },
        { name: 'cumulative', title: 'Cumulative', unit: 'percent' },
        { name: 'published', title: 'In the report', unit: 'percent', published: true },
      ],
      given: [
        { what: 'copies between CPU and GPU', published: 0.39 },
        { what: 'implicit GEMM (cuDNN)', published: 0.21 },
        { what: 'complex GEMM (cuDNN)', published: 0.12 },
        { what: 'FFT (cuDNN)', published: 0.06 },
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
    {
      kind: 'bars',
      name: 'steps',
      title: 'From loops to a tuned kernel',
      explanation: 'Both convolutions and their total, each relative to the plain kernel.',
      base: PLAIN,
      bars: [
        { name: LOOPS, look: 'loops' },
        { name: PLAIN, look: 'direct' },
        { name: NAMES.tile },
        { name: NAMES.uniform },
        { name: 'tile width tuned for the layer' },
        { name: NAMES.blocked },
        { name: FASTEST, look: 'winograd_f4x3' },
      ],
      published: [
        { bar: LOOPS, ratio: 300, ms: 9900, note: 'both layers, 10,000 images' },
        { bar: PLAIN, ratio: 1, ms: 33, note: 'both layers, 10,000 images' },
        { bar: NAMES.tile, ratio: 1.39, ms: 46, note: 'both layers, 10,000 images' },
        { bar: NAMES.uniform, ratio: 1.27, ms: 42, note: 'both layers, 10,000 images' },
        { bar: 'tile width tuned for the layer', ratio: 0.45, ms: 14.9, note: 'both layers, 10,000 images' },
      ],
    },
  ],
  async run(context) {
    await measureSets(context);
    await measureSteps(context);
  },
};

export default study;
