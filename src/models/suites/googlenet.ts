import { square, type Suite, type SuiteLayer } from './suite.ts';

/** Image size, input channels, and filters: 1x1, reduction for 3x3, 3x3, reduction for 5x5, 5x5, behind the pooling. */
const INCEPTIONS: readonly [name: string, size: number, C: number, ...filters: number[]][] = [
  ['3a', 28, 192, 64, 96, 128, 16, 32, 32],
  ['3b', 28, 256, 128, 128, 192, 32, 96, 64],
  ['4a', 14, 480, 192, 96, 208, 16, 48, 64],
  ['4b', 14, 512, 160, 112, 224, 24, 64, 64],
  ['4c', 14, 512, 128, 128, 256, 24, 64, 64],
  ['4d', 14, 512, 112, 144, 288, 32, 64, 64],
  ['4e', 14, 528, 256, 160, 320, 32, 128, 128],
  ['5a', 7, 832, 256, 160, 320, 32, 128, 128],
  ['5b', 7, 832, 384, 192, 384, 48, 128, 128],
];

function inception([name, size, C, ...filters]: (typeof INCEPTIONS)[number]): SuiteLayer[] {
  const [k1, reduce3, k3, reduce5, k5, pool] = filters;
  const sizes: Record<string, SuiteLayer['sizes']> = {
    '1x1': square(C, size, k1, 1),
    '3x3_reduce': square(C, size, reduce3, 1),
    '3x3': square(reduce3, size, k3, 3, 1),
    '5x5_reduce': square(C, size, reduce5, 1),
    '5x5': square(reduce5, size, k5, 5, 2),
    pool_proj: square(C, size, pool, 1),
  };
  return Object.entries(sizes).map(([part, one]) => ({ name: `inception_${name}/${part}`, sizes: one }));
}

/** Szegedy et al., "Going deeper with convolutions" (2014), table 1. */
const suite: Suite = {
  name: 'googlenet',
  title: 'GoogLeNet',
  description: 'Filters of 1x1, 3x3 and 5x5 side by side, on images of 224x224.',
  batch: 32,
  layers: [
    { name: 'conv1/7x7_s2', sizes: square(3, 224, 64, 7, 3, 2) },
    { name: 'conv2/3x3_reduce', sizes: square(64, 56, 64, 1) },
    { name: 'conv2/3x3', sizes: square(64, 56, 192, 3, 1) },
    ...INCEPTIONS.flatMap(inception),
  ],
};

export default suite;
