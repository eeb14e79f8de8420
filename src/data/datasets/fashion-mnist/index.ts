import type { DatasetInfo } from '../../dataset.ts';

export default {
  name: 'fashion-mnist',
  title: 'Fashion-MNIST',
  description: 'Zalando’s clothing images in ten classes; a harder drop-in replacement for MNIST.',
  licence: 'MIT, Zalando SE',
  shape: [1, 28, 28],
  classes: [
    'T-shirt/top',
    'Trouser',
    'Pullover',
    'Dress',
    'Coat',
    'Sandal',
    'Shirt',
    'Sneaker',
    'Bag',
    'Ankle boot',
  ],
  mean: [0.286],
  std: [0.353],
  ground: 'dark',
  counts: { train: 60_000, test: 10_000 },
  // Checksums: TensorFlow Datasets, url_checksums/fashion_mnist.txt.
  files: [
    {
      role: 'train-images',
      name: 'train-images-idx3-ubyte.gz',
      bytes: 26_421_880,
      sha256: '3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84',
    },
    {
      role: 'train-labels',
      name: 'train-labels-idx1-ubyte.gz',
      bytes: 29_515,
      sha256: 'a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845',
    },
    {
      role: 'test-images',
      name: 't10k-images-idx3-ubyte.gz',
      bytes: 4_422_102,
      sha256: '346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073',
      unpackedSha256: '5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b',
    },
    {
      role: 'test-labels',
      name: 't10k-labels-idx1-ubyte.gz',
      bytes: 5_148,
      sha256: '67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5',
      unpackedSha256: '0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34',
    },
  ],
  // The authors' repository, through hosts from which browsers may fetch.
  mirrors: [
    'https://cdn.jsdelivr.net/gh/zalandoresearch/fashion-mnist@master/data/fashion/',
    'https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/',
  ],
  shipped: false,
} satisfies DatasetInfo;
