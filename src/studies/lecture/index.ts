/** The figures of a lecture on making convolutional networks fast. */
import type { Study } from '../study.ts';
import { measureDevices } from './devices.ts';
import { measureFolding } from './folding.ts';
import { measureLayouts } from './layouts.ts';
import { checkIndices, EXAMPLE, indexRows } from './indices.ts';
import { PRINTED } from './published.ts';
import { checkSizes, exerciseRows, sizeRows } from './sizes.ts';

const study: Study = {
  name: 'lecture',
  order: 5,
  title: 'A lecture’s figures: layouts, CPU and GPU, folding, padding',
  short: 'Lecture',
  question: 'What do the usual optimisations of a convolutional network gain, one at a time?',
  summary: [
    'The lecture builds a network for MNIST from its parts and makes each faster: convolution with padding, stride, dilation and channels, written once for the CPU and once for the GPU; batch normalisation, and folding it into the convolution before it for inference; and the layouts and padding rules in which frameworks differ.',
    'It prints no times, so there are none to compare with. The figures test its claims on your machine: how much faster a plain kernel is than plain loops, and a tuned kernel than a plain one; what folding saves; its exercise of output sizes, by the usual formula and by the one that it gives for TensorFlow; and where values are in memory in both layouts.',
  ],
  source: {
    title: 'Optimization for convolution neural network on GPU',
    kind: 'Lecture',
    authors: undefined,
    date: undefined,
    hardware: undefined,
    numbers: 'It prints no times; only the sizes of an exercise, without its answers.',
  },
  sizes: {
    small: 'batches of 2; 3 samples, 5 of folding',
    full: 'batches of 64 and 128, 8 where loops on the CPU take long; 10 samples, 20 of folding',
  },
  method: [
    'Both layouts compute the same convolution; each bar is the best of a search over all algorithms. Algorithms without a kernel for NHWC transpose before and after, which counts.',
    'Plain loops are seven nested loops, as one writes them in C, compiled to WebAssembly, on one core of the CPU. The plain kernel is the same convolution with one thread per output; the fastest is the best of a search over all algorithms. Both are verified first. If this page computes on the CPU, the kernels run there, on several cores.',
    'Folding multiplies a convolution’s weights by the scale of the batch normalisation after it and adds its shift to the bias. Both networks process the same images and are timed in turns; their outputs are compared.',
    'Kernels and passes are timed by the device’s clock if it has one. Bars show medians, with the 10th and 90th percentile.',
    'Output sizes follow from the rules. Each is checked by a convolution with that padding, verified on the device against float64.',
    'Index formulas are checked by a tensor whose values are their own places in NCHW: a kernel changes its layout, and both formulas must find every value.',
  ],
  published: Object.values(PRINTED),
  figures: [
    {
      kind: 'bars',
      name: 'layouts',
      title: 'NCHW and NHWC',
      explanation: 'The fastest kernel for channels first and for channels last.',
      base: 'NCHW',
      bars: [
        { name: 'NCHW', look: 'implicit_gemm' },
        { name: 'NHWC', look: 'im2col_gemm' },
      ],
    },
    {
      kind: 'bars',
      name: 'devices',
      title: 'The same convolution for CPU and GPU',
      explanation: 'Three layers: loops on the CPU, the plain kernel, and the fastest kernel.',
      base: 'plain kernel',
      bars: [
        { name: 'plain loops on the CPU', look: 'loops' },
        { name: 'plain kernel', look: 'direct' },
        { name: 'fastest kernel', look: 'winograd_f4x3' },
      ],
    },
    {
      kind: 'bars',
      name: 'folding',
      title: 'Batch normalisation, folded or not',
      explanation: 'The forward pass with batch normalisation folded into the convolutions, and as trained.',
      base: 'folded',
      bars: [
        { name: 'folded', look: 'implicit_gemm' },
        { name: 'not folded', look: 'im2col_gemm' },
      ],
    },
    {
      kind: 'table',
      name: 'exercise',
      title: 'Two exercises of output sizes',
      explanation:
        'By the usual formula and by the one that the lecture gives for TensorFlow. They differ where the last step does not fit; what wgrad computes is in the last columns.',
      columns: [
        { name: 'size', title: 'Image', unit: 'count', key: true },
        { name: 'filter', title: 'Filter', unit: 'count', key: true },
        { name: 'padding', title: 'Padding', unit: 'count', key: true },
        { name: 'stride', title: 'Stride', unit: 'count', key: true },
        { name: 'floor', title: '⌊(H + 2 pad − k) / stride⌋ + 1', unit: 'count' },
        { name: 'ceiling', title: '⌈(H + 2 pad − k) / stride⌉ + 1', unit: 'count' },
        { name: 'output', title: 'wgrad', unit: 'count' },
        { name: 'checked', title: 'Verified' },
      ],
      given: exerciseRows(),
    },
    {
      kind: 'table',
      name: 'indices',
      title: 'Where a value is in memory',
      explanation: `The index of the value at n, c, h, w. The example: ${EXAMPLE}.`,
      columns: [
        { name: 'layout', title: 'Layout', key: true },
        { name: 'formula', title: 'Index' },
        { name: 'index', title: 'Example', unit: 'count' },
        { name: 'checked', title: 'Verified' },
      ],
      given: indexRows(),
    },
    {
      kind: 'table',
      name: 'sizes',
      title: 'Output sizes for explicit padding, “same” and “valid”',
      explanation:
        'Explicit padding p adds p zeros on each side: ⌊(size + 2 p − reach) / stride⌋ + 1, where a filter reaches over dilation × (filter − 1) + 1 pixels. “valid” adds none. “same” adds as many as ⌈size / stride⌉ outputs need, an odd one at the end.',
      columns: [
        { name: 'size', title: 'Image', unit: 'count', key: true },
        { name: 'filter', title: 'Filter', unit: 'count', key: true },
        { name: 'stride', title: 'Stride', unit: 'count', key: true },
        { name: 'dilation', title: 'Dilation', unit: 'count', key: true },
        { name: 'padding', title: 'Explicit padding', unit: 'count', key: true },
        { name: 'explicit', title: 'explicit', unit: 'count' },
        { name: 'valid', title: 'valid', unit: 'count' },
        { name: 'same', title: 'same', unit: 'count' },
        { name: 'zeros', title: 'Padding of same, before and after' },
        { name: 'checked', title: 'Verified' },
      ],
      given: sizeRows(),
    },
  ],
  async run(context) {
    await measureLayouts(context);
    await measureDevices(context);
    await measureFolding(context);
    await checkIndices(context);
    await checkSizes(context);
  },
};

export default study;
