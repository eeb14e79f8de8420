import type { KernelLesson } from '../../lesson.ts';
import { columns, columnsOf, openColumns } from '../../tasks/columns.ts';
import { AWKWARD, type ConvTaskSizes } from '../../tasks/convolution.ts';

export default {
  name: 'im2col',
  order: 4,
  task: columns,
  tests: AWKWARD,
  rates: {
    cpu: { sizes: { N: 2, C: 16, H: 28, W: 28, K: 1, R: 3, S: 3, padding: 1 }, goal: 0.25 },
    gpu: { sizes: { N: 32, C: 32, H: 32, W: 32, K: 1, R: 3, S: 3, padding: 1 }, goal: 0.05 },
  },
  extent: columnsOf,
  own: openColumns,
} satisfies KernelLesson<ConvTaskSizes>;
