import { square, type Suite } from './suite.ts';

const suite: Suite = {
  name: 'layers',
  title: 'Single layers',
  description: 'Layers of usual sizes, with which the tables in bench/ compare libraries.',
  batch: 64,
  layers: [
    { name: '64 channels, 32x32, 3x3', sizes: square(64, 32, 64, 3, 1) },
    { name: '64 channels, 32x32, 5x5', sizes: square(64, 32, 64, 5, 2) },
    { name: '64 channels, 32x32, 1x1', sizes: square(64, 32, 64, 1) },
    { name: '128 channels, 16x16, 3x3', sizes: { N: 128, ...square(128, 16, 128, 3, 1) } },
    { name: '256 channels, 8x8, 3x3', sizes: { N: 128, ...square(256, 8, 256, 3, 1) } },
  ],
};

export default suite;
