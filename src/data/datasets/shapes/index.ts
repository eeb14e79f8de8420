/** Synthetic shapes, drawn by scripts/shapes. `npm run shapes` writes the files and prints the numbers below. */
import { NO_AUGMENTATION } from '../../../base/augmentation.ts';
import type { DatasetInfo } from '../../dataset.ts';

export default {
  name: 'shapes',
  title: 'Synthetic shapes',
  description: 'Ten generated shapes in random colours, sizes and rotations. Built in, no download.',
  licence: 'MIT, like wgrad itself',
  shape: [3, 32, 32],
  classes: ['circle', 'ring', 'crescent', 'square', 'triangle', 'star', 'cross', 'heart', 'arrow', 'stripes'],
  mean: [0.5009, 0.5017, 0.5011],
  std: [0.2947, 0.2936, 0.2943],
  // No shape becomes another one by shifting or mirroring.
  augmentation: { ...NO_AUGMENTATION, crop: 4, flip: 1 },
  counts: { train: 5_000, test: 1_000 },
  files: [
    {
      role: 'train-batch-1',
      name: 'train_batch.bin.gz',
      bytes: 2_369_025,
      sha256: 'd31e08bb618eedac6341177b1460cb1f415ada004f5c8801ccbf9c2bdf13db9d',
      unpackedSha256: '11733e7a104fae237662e8764a41035d1e4828541c05cdc6f46a76568900594d',
    },
    {
      role: 'test-batch',
      name: 'test_batch.bin.gz',
      bytes: 471_640,
      sha256: '61246760c05f5ebabd4202f5277bfff2b7fbfa7ffbaf0b062a2492c72ab7d3aa',
      unpackedSha256: '939d072e05bfafe14200a365120191cc73a492d7499e8262e4fd85f267acfa2c',
    },
  ],
  mirrors: [],
  shipped: true,
} satisfies DatasetInfo;
