import type { Layer } from '../engine/network.ts';
import { batchNorm, concat, conv, dropout, flatten, globalAverage, linear, maxPool, relu } from './layers.ts';
import { FULL_SIZE, type Model } from './model.ts';

/** torchvision's. */
const EPS = 0.001;

/** A convolution with batch normalisation and ReLU; the next layer reads `${name}.relu`. */
const unit = (
  name: string,
  width: number,
  size: number,
  { input, stride = 1 }: { input?: string; stride?: number } = {},
): Layer[] => [
  conv(`${name}.conv`, width, size, { bias: false, input, stride }),
  batchNorm(`${name}.bn`, { eps: EPS }),
  relu(`${name}.relu`),
];

type Filters = readonly [
  k1: number,
  reduce3: number,
  k3: number,
  reduce5: number,
  k5: number,
  pooled: number,
];

/** Four parallel branches with filters of different sizes, concatenated along channels. */
function inception(
  name: string,
  input: string,
  [k1, reduce3, k3, reduce5, k5, pooled]: Filters,
  largest: number,
): Layer[] {
  const part = (own: string) => `${name}.${own}`;
  return [
    ...unit(part('branch1'), k1, 1, { input }),
    ...[...unit(part('branch2.0'), reduce3, 1, { input }), ...unit(part('branch2.1'), k3, 3)],
    ...[...unit(part('branch3.0'), reduce5, 1, { input }), ...unit(part('branch3.1'), k5, largest)],
    maxPool(part('branch4.0'), 3, 1, { padding: 1, input }),
    ...unit(part('branch4.1'), pooled, 1),
    concat(
      name,
      ['branch1', 'branch2.1', 'branch3.1', 'branch4.1'].map((branch) => part(`${branch}.relu`)),
    ),
  ];
}

/** From the first pooling on. @param largest the size of the largest filters: 5 in the paper, 3 in torchvision's weights */
function blocks(largest: number, classes: number): Layer[] {
  const block = (name: string, input: string, filters: Filters) => inception(name, input, filters, largest);
  return [
    maxPool('maxpool2', 3, 2, { padding: 1 }),
    ...block('inception3a', 'maxpool2', [64, 96, 128, 16, 32, 32]),
    ...block('inception3b', 'inception3a', [128, 128, 192, 32, 96, 64]),
    maxPool('maxpool3', 3, 2, { padding: 1 }),
    ...block('inception4a', 'maxpool3', [192, 96, 208, 16, 48, 64]),
    ...block('inception4b', 'inception4a', [160, 112, 224, 24, 64, 64]),
    ...block('inception4c', 'inception4b', [128, 128, 256, 24, 64, 64]),
    ...block('inception4d', 'inception4c', [112, 144, 288, 32, 64, 64]),
    ...block('inception4e', 'inception4d', [256, 160, 320, 32, 128, 128]),
    maxPool('maxpool4', 2, 2),
    ...block('inception5a', 'maxpool4', [256, 160, 320, 32, 128, 128]),
    ...block('inception5b', 'inception5a', [384, 192, 384, 48, 128, 128]),
    ...[globalAverage('avgpool'), flatten('flatten'), dropout('dropout', 0.2), linear('fc', classes)],
  ];
}

/**
 * GoogLeNet (Szegedy et al., "Going deeper with convolutions", 2014) with batch normalisation and names as in
 * torchvision, without the auxiliary classifiers. Fitted to small images: the first convolution is 3x3 with stride 1, not
 * 7x7 with stride 2, and there is no pooling after it.
 */
const googlenet: Model = {
  name: 'googlenet',
  title: 'GoogLeNet',
  description: 'Nine Inception blocks with parallel filters of several sizes. Large; needs a GPU.',
  family: 'Classics',
  input: [3, 32, 32],
  classes: 10,
  weightsInit: 'kaiming_normal',
  layers: [...unit('conv1', 64, 3), ...unit('conv2', 64, 1), ...unit('conv3', 192, 3), ...blocks(3, 10)],
};

const published: Model = {
  name: 'googlenet_224',
  title: 'GoogLeNet, 224×224',
  description: 'As published, with filters of 5x5, but with batch normalisation; 1,000 classes.',
  ...FULL_SIZE,
  weightsInit: 'kaiming_normal',
  layers: [
    ...[...unit('conv1', 64, 7, { stride: 2 }), maxPool('maxpool1', 3, 2, { padding: 1 })],
    ...[...unit('conv2', 64, 1), ...unit('conv3', 192, 3)],
    ...blocks(5, FULL_SIZE.classes),
  ],
};

export default [googlenet, published];
