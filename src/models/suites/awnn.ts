import { square, type Suite } from './suite.ts';

const suite: Suite = {
  name: 'awnn',
  title: 'Nine small cases',
  description:
    '1, 4 and 16 images by 1, 4 and 16 filters of 3x3, on 4 channels of 32x32: too small to fill a GPU.',
  batch: 16,
  batches: [1, 4, 16],
  layers: [1, 4, 16].map((K) => ({ name: `${K} filters`, sizes: square(4, 32, K, 3, 1) })),
};

export default suite;
