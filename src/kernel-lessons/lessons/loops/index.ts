import type { KernelLesson } from '../../lesson.ts';
import { AWKWARD, convolution, openConvolution, type ConvTaskSizes } from '../../tasks/convolution.ts';

export default {
  name: 'loops',
  order: 1,
  task: convolution(),
  tests: AWKWARD,
  // On a GPU, one invocation of thousands would compute.
  rates: { cpu: { sizes: { N: 2, C: 16, H: 28, W: 28, K: 16, R: 3, S: 3, padding: 1 }, goal: 0.05 } },
  own: openConvolution,
} satisfies KernelLesson<ConvTaskSizes>;
