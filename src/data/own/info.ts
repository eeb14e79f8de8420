/** The data set of the user's own images before any are imported. */
import { NO_AUGMENTATION } from '../../base/augmentation.ts';
import type { DatasetInfo } from '../dataset.ts';

/** The name of the only such set. */
export const OWN = 'own';

/** The description without images. */
export const EMPTY_OWN: DatasetInfo = {
  name: OWN,
  title: 'Your images',
  description: 'Import your own images, one folder per class.',
  licence: 'your own',
  shape: [3, 32, 32],
  classes: [],
  mean: [0.5, 0.5, 0.5],
  std: [0.25, 0.25, 0.25],
  counts: { train: 0, test: 0 },
  augmentation: NO_AUGMENTATION,
  files: [
    { role: 'train-batch-1', name: 'train-batch-1.bin', bytes: 0, sha256: '' },
    { role: 'test-batch', name: 'test-batch.bin', bytes: 0, sha256: '' },
  ],
  mirrors: [],
  shipped: false,
};
