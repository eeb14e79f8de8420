import { NO_AUGMENTATION } from '../../../base/augmentation.ts';
import type { DatasetInfo } from '../../dataset.ts';

export default {
  name: 'cifar-10',
  title: 'CIFAR-10',
  description: 'Small colour photos of animals and vehicles in ten classes; the standard ResNet benchmark.',
  licence: 'none stated; cite Alex Krizhevsky, “Learning Multiple Layers of Features from Tiny Images”, 2009',
  shape: [3, 32, 32],
  classes: ['airplane', 'automobile', 'bird', 'cat', 'deer', 'dog', 'frog', 'horse', 'ship', 'truck'],
  mean: [0.4914, 0.4822, 0.4465],
  std: [0.247, 0.2435, 0.2616],
  augmentation: { ...NO_AUGMENTATION, crop: 4, flip: 1 },
  counts: { train: 50_000, test: 10_000 },
  // Checksums: computed from the binary version; Red Datasets (lib/datasets/cifar.rb) has the same.
  files: [
    {
      role: 'train-batch-1',
      name: 'data_batch_1.bin',
      bytes: 30_730_000,
      sha256: 'cee916563c9f80d84e3cc88e17fdc0941787f1244f00a67874d45b261883ada5',
    },
    {
      role: 'train-batch-2',
      name: 'data_batch_2.bin',
      bytes: 30_730_000,
      sha256: 'a591ca11fa1708a91ee40f54b3da4784ccd871ecf2137de63f51ada8b3fa57ed',
    },
    {
      role: 'train-batch-3',
      name: 'data_batch_3.bin',
      bytes: 30_730_000,
      sha256: 'bbe8596564c0f86427f876058170b84dac6670ddf06d79402899d93ceea26f67',
    },
    {
      role: 'train-batch-4',
      name: 'data_batch_4.bin',
      bytes: 30_730_000,
      sha256: '014e562d6e23c72197cc727519169a60359f5eccd8945ad5a09d710285ff4e48',
    },
    {
      role: 'train-batch-5',
      name: 'data_batch_5.bin',
      bytes: 30_730_000,
      sha256: '755304fc0b379caeae8c14f0dac912fbc7d6cd469eb67a1029a08a39453a9add',
    },
    {
      role: 'test-batch',
      name: 'test_batch.bin',
      bytes: 30_730_000,
      sha256: '8e2eb146ae340b09e24670f29cabc6326dba54da8789dab6768acf480273f65b',
    },
  ],
  archive: { name: 'cifar-10-binary.tar.gz', bytes: 170_052_171, folder: 'cifar-10-batches-bin' },
  extras: ['batches.meta.txt', 'readme.html'],
  source: 'https://www.cs.toronto.edu/~kriz/cifar.html',
  // The only host of the binary version does not allow fetches from other sites, and is slow.
  mirrors: [],
  shipped: false,
} satisfies DatasetInfo;
