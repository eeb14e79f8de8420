import type { KernelLesson } from '../../lesson.ts';
import {
  AWKWARD,
  convolution,
  openConvolution,
  pixelsByFilters,
  type ConvTaskSizes,
} from '../../tasks/convolution.ts';

export default {
  name: 'implicit_gemm',
  order: 5,
  task: convolution(),
  tests: AWKWARD,
  rates: {
    cpu: { sizes: { N: 2, C: 16, H: 28, W: 28, K: 16, R: 3, S: 3, padding: 1 }, goal: 0.25 },
    gpu: { sizes: { N: 16, C: 32, H: 32, W: 32, K: 32, R: 3, S: 3, padding: 1 }, goal: 0.05 },
  },
  extent: pixelsByFilters,
  own: (device, sizes) => openConvolution(device, sizes, 'implicit_gemm'),
} satisfies KernelLesson<ConvTaskSizes>;
