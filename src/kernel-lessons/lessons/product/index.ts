import type { KernelLesson } from '../../lesson.ts';
import {
  columnsAndRows,
  openProduct,
  product,
  PRODUCT_TESTS,
  type MatrixSizes,
} from '../../tasks/product.ts';

export default {
  name: 'product',
  order: 2,
  task: product,
  tests: PRODUCT_TESTS,
  rates: {
    cpu: { sizes: { M: 128, N: 128, K: 128 }, goal: 0.15 },
    gpu: { sizes: { M: 512, N: 512, K: 512 }, goal: 0.02 },
  },
  extent: columnsAndRows,
  own: openProduct,
} satisfies KernelLesson<MatrixSizes>;
