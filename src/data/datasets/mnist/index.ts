import type { DatasetInfo } from '../../dataset.ts';

export default {
  name: 'mnist',
  title: 'MNIST',
  description: 'Handwritten digits from NIST; the classic first benchmark since 1998.',
  licence: 'CC BY-SA 3.0, Yann LeCun and Corinna Cortes',
  shape: [1, 28, 28],
  classes: ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
  mean: [0.1307],
  std: [0.3081],
  ground: 'dark',
  fitted: true,
  counts: { train: 60_000, test: 10_000 },
  // Checksums: TensorFlow Datasets, url_checksums/mnist.txt.
  files: [
    {
      role: 'train-images',
      name: 'train-images-idx3-ubyte.gz',
      bytes: 9_912_422,
      sha256: '440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609',
      unpackedSha256: 'ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db',
    },
    {
      role: 'train-labels',
      name: 'train-labels-idx1-ubyte.gz',
      bytes: 28_881,
      sha256: '3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c',
      unpackedSha256: '65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5',
    },
    {
      role: 'test-images',
      name: 't10k-images-idx3-ubyte.gz',
      bytes: 1_648_877,
      sha256: '8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6',
      unpackedSha256: '0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7',
    },
    {
      role: 'test-labels',
      name: 't10k-labels-idx1-ubyte.gz',
      bytes: 4_542,
      sha256: 'f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6',
      unpackedSha256: 'ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2',
    },
  ],
  // Copies on hosts from which browsers may fetch; the original site and its S3 mirror do not allow it.
  mirrors: [
    'https://cdn.jsdelivr.net/gh/fgnt/mnist@master/',
    'https://raw.githubusercontent.com/fgnt/mnist/master/',
  ],
  shipped: false,
} satisfies DatasetInfo;
