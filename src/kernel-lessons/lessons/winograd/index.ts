import type { KernelLesson } from '../../lesson.ts';
import { F2X3 } from '../../../engine/ops/conv/algorithms/winograd/cook_toom.ts';
import { sumOfTiles } from '../../../engine/ops/conv/algorithms/winograd/sum.ts';
import { convolution, openConvolution, problemOfTask, type ConvTaskSizes } from '../../tasks/convolution.ts';

export default {
  name: 'winograd',
  order: 6,
  task: convolution((sizes) => sumOfTiles(F2X3, problemOfTask(sizes), 'fprop')),
  tests: [
    { N: 1, C: 1, H: 3, W: 3, K: 1, R: 3, S: 3 },
    { N: 1, C: 1, H: 4, W: 4, K: 1, R: 3, S: 3 },
    { N: 2, C: 3, H: 7, W: 6, K: 5, R: 3, S: 3, padding: 1 },
    { N: 1, C: 17, H: 9, W: 10, K: 33, R: 3, S: 3, padding: 1 },
    { N: 1, C: 2, H: 1, W: 40, K: 2, R: 3, S: 3, padding: 2 },
  ],
  rates: {
    cpu: { sizes: { N: 2, C: 16, H: 28, W: 28, K: 16, R: 3, S: 3, padding: 1 }, goal: 0.2 },
    gpu: { sizes: { N: 16, C: 32, H: 32, W: 32, K: 32, R: 3, S: 3, padding: 1 }, goal: 0.05 },
  },
  // Tiles, filters and images.
  extent(sizes) {
    const { N, K, P, Q } = problemOfTask(sizes);
    return [Math.ceil(P / 2) * Math.ceil(Q / 2), K, N];
  },
  own: (device, sizes) => openConvolution(device, sizes, 'winograd_f2x3'),
} satisfies KernelLesson<ConvTaskSizes>;
