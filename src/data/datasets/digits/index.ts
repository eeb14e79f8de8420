/** Synthetic handwriting, drawn by scripts/digits. `npm run digits` writes the files and prints the numbers below. */
import type { DatasetInfo } from '../../dataset.ts';

export default {
  name: 'digits',
  title: 'Synthetic digits',
  description: 'Handwriting-style digits generated from pen strokes. Built in, no download.',
  licence: 'MIT, like wgrad itself',
  shape: [1, 28, 28],
  classes: ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
  mean: [0.0909],
  std: [0.2246],
  ground: 'dark',
  fitted: true,
  counts: { train: 10_000, test: 2_000 },
  files: [
    {
      role: 'train-images',
      name: 'train-images-idx3-ubyte.gz',
      bytes: 1_497_818,
      sha256: '7f39560595c849e38fc2412f6c1f417b181f2fac9401ed8d02cc1902b9fd9b2c',
      unpackedSha256: 'a19dae6185265bcd2a654ca9adc5898ed16b8c5f074ebfb2e1db103ab687acdd',
    },
    {
      role: 'train-labels',
      name: 'train-labels-idx1-ubyte.gz',
      bytes: 4_753,
      sha256: '4dafc20345e585124c5aa6feca3bb863d1e9633a7fcba0526a17a5d2b57354a0',
      unpackedSha256: '774eedb84c7f70a3cbd9bbf422dd82d88ea8b9e9191c39ae4c04b8a32fd49146',
    },
    {
      role: 'test-images',
      name: 't10k-images-idx3-ubyte.gz',
      bytes: 298_733,
      sha256: 'e00c05c599da9f465d631fe08083d1c9871102948862ae519f02734a41257a6d',
      unpackedSha256: 'ca6ef4db1735b7f4c0a4246f35e6e3e052630fd75a136c2d42c006fc94ac727d',
    },
    {
      role: 'test-labels',
      name: 't10k-labels-idx1-ubyte.gz',
      bytes: 940,
      sha256: 'fc0330075a7552e3db4b25a2d6ce4696f63d395ed7bedbc6946257bf7e39fd43',
      unpackedSha256: '5a9767daff1957acbd0b08316c9d44201661a0d1cbed8a0a8543703550430b1d',
    },
  ],
  mirrors: [],
  shipped: true,
} satisfies DatasetInfo;
