/** Suites: lists of convolutions for comparing libraries. */
import { Registry } from '../base/registry.ts';
import { convProblem, problemKey, type ConvProblem, type ProblemSizes } from '../engine/ops/conv/problem.ts';
import { published, unseen, unseen2, unseen3 } from './published.ts';

/** A convolution of a suite, under its name in the network's paper. */
export interface SuiteLayer {
  name: string;
  /** N, if it differs from the suite's. */
  sizes: Omit<ProblemSizes, 'N'> & { N?: number };
}

/** A list of convolutions. */
export interface Suite {
  readonly name: string;
  /** For display. */
  readonly title: string;
  readonly description: string;
  /** Default N. */
  readonly batch: number;
  /** The batch sizes of a suite that has several. */
  readonly batches?: readonly number[];
  /** In the network's order, with repetitions of equal sizes. */
  readonly layers: readonly SuiteLayer[];
}

/** Square filters on square images. */
export const square = (
  C: number,
  size: number,
  K: number,
  filter: number,
  padding = 0,
  stride = 1,
): SuiteLayer['sizes'] => ({
  C,
  H: size,
  W: size,
  K,
  R: filter,
  S: filter,
  padding: [padding, padding],
  stride: [stride, stride],
});

/** A problem of a suite, and the layers that have it. */
export interface SuiteCase {
  /** The first layer's name. */
  name: string;
  /** Names of all of them. */
  layers: string[];
  problem: ConvProblem;
}

/**
 * The problems of a suite, each once.
 * @param batch N for all problems, instead of the suite's
 */
export function suiteCases(suite: Suite, batch?: number): SuiteCase[] {
  const cases = new Map<string, SuiteCase>();
  for (const N of batch === undefined ? (suite.batches ?? [undefined]) : [batch]) {
    for (const { name, sizes } of suite.layers) {
      const problem = convProblem({ ...sizes, N: N ?? sizes.N ?? suite.batch });
      const key = problemKey(problem);
      const known = cases.get(key);
      if (known) known.layers.push(name);
      else cases.set(key, { name, layers: [name], problem });
    }
  }
  return [...cases.values()];
}

const layers: Suite = {
  name: 'layers',
  title: 'Single layers',
  description: 'Typical layer sizes, as used in the library comparisons in bench/.',
  batch: 64,
  layers: [
    { name: '64 channels, 32x32, 3x3', sizes: square(64, 32, 64, 3, 1) },
    { name: '64 channels, 32x32, 5x5', sizes: square(64, 32, 64, 5, 2) },
    { name: '64 channels, 32x32, 1x1', sizes: square(64, 32, 64, 1) },
    { name: '128 channels, 16x16, 3x3', sizes: { N: 128, ...square(128, 16, 128, 3, 1) } },
    { name: '256 channels, 8x8, 3x3', sizes: { N: 128, ...square(256, 8, 256, 3, 1) } },
  ],
};

const awnn: Suite = {
  name: 'awnn',
  title: 'Nine small cases',
  description:
    'Batches of 1, 4 and 16 with 1, 4 and 16 filters of 3x3 on 4 channels of 32x32: too small to saturate a GPU.',
  batch: 16,
  batches: [1, 4, 16],
  layers: [1, 4, 16].map((K) => ({ name: `${K} filters`, sizes: square(4, 32, K, 3, 1) })),
};

const lenet5: Suite = {
  name: 'lenet5',
  title: 'LeNet-5',
  description: 'The two convolutions of LeNet-5, on 28x28 images.',
  batch: 128,
  layers: [
    { name: 'conv1', sizes: square(1, 28, 6, 5, 2) },
    { name: 'conv2', sizes: square(6, 14, 16, 5) },
  ],
};

/** A stage of three blocks; the first block of all but the first stage halves the image. */
function basicStage(number: number, inputs: number, size: number, channels: number): SuiteLayer[] {
  const stride = inputs === channels ? 1 : 2;
  const inner = square(channels, size / stride, channels, 3, 1);
  return [
    { name: `layer${number}.0.conv1`, sizes: square(inputs, size, channels, 3, 1, stride) },
    { name: `layer${number}.0.conv2`, sizes: inner },
    ...(stride === 2
      ? [{ name: `layer${number}.0.shortcut`, sizes: square(inputs, size, channels, 1, 0, stride) }]
      : []),
    ...[1, 2].flatMap((block) => [
      { name: `layer${number}.${block}.conv1`, sizes: inner },
      { name: `layer${number}.${block}.conv2`, sizes: inner },
    ]),
  ];
}

/** He, Zhang, Ren and Sun, "Deep residual learning for image recognition" (2015), part 4.2; projections as shortcuts. */
const resnet20: Suite = {
  name: 'resnet20',
  title: 'ResNet-20',
  description: 'The residual network for 32x32 images.',
  batch: 128,
  layers: [
    { name: 'conv1', sizes: square(3, 32, 16, 3, 1) },
    ...basicStage(1, 16, 32, 16),
    ...basicStage(2, 16, 32, 32),
    ...basicStage(3, 32, 16, 64),
  ],
};

/** Blocks, channels inside them, and image size after them. */
const STAGES = [
  { blocks: 3, channels: 64, size: 56 },
  { blocks: 4, channels: 128, size: 28 },
  { blocks: 6, channels: 256, size: 14 },
  { blocks: 3, channels: 512, size: 7 },
];

function bottleneckStage({ blocks, channels, size }: (typeof STAGES)[number], i: number): SuiteLayer[] {
  const outputs = 4 * channels;
  return Array.from({ length: blocks }, (_, block): SuiteLayer[] => {
    const name = `conv${i + 2}_${block + 1}`;
    const first = block === 0;
    const inputs = first ? (i === 0 ? 64 : 2 * channels) : outputs;
    // The first block of a stage halves the image in its first convolution.
    const stride = first && i > 0 ? 2 : 1;
    return [
      { name: `${name}/1x1_reduce`, sizes: square(inputs, size * stride, channels, 1, 0, stride) },
      { name: `${name}/3x3`, sizes: square(channels, size, channels, 3, 1) },
      { name: `${name}/1x1_increase`, sizes: square(channels, size, outputs, 1) },
      ...(first
        ? [{ name: `${name}/1x1_proj`, sizes: square(inputs, size * stride, outputs, 1, 0, stride) }]
        : []),
    ];
  }).flat();
}

/** He, Zhang, Ren and Sun, "Deep residual learning for image recognition" (2015), table 1. */
const resnet50: Suite = {
  name: 'resnet50',
  title: 'ResNet-50',
  description: 'Bottlenecks of 1x1, 3x3 and 1x1 filters, on 224x224 images.',
  batch: 32,
  layers: [{ name: 'conv1', sizes: square(3, 224, 64, 7, 3, 2) }, ...STAGES.flatMap(bottleneckStage)],
};

/**
 * Krizhevsky, Sutskever and Hinton, "ImageNet classification with deep convolutional neural networks" (2012), without
 * the groups that spread it over two GPUs.
 */
const alexnet: Suite = {
  name: 'alexnet',
  title: 'AlexNet',
  description: 'Few layers with large filters, on 227x227 images.',
  batch: 32,
  layers: [
    { name: 'conv1', sizes: square(3, 227, 96, 11, 0, 4) },
    { name: 'conv2', sizes: square(96, 27, 256, 5, 2) },
    { name: 'conv3', sizes: square(256, 13, 384, 3, 1) },
    { name: 'conv4', sizes: square(384, 13, 384, 3, 1) },
    { name: 'conv5', sizes: square(384, 13, 256, 3, 1) },
  ],
};

/** Channels, image size and convolutions of each part. */
const PARTS = [
  { channels: 64, size: 224, convolutions: 2 },
  { channels: 128, size: 112, convolutions: 2 },
  { channels: 256, size: 56, convolutions: 4 },
  { channels: 512, size: 28, convolutions: 4 },
  { channels: 512, size: 14, convolutions: 4 },
];

/** Simonyan and Zisserman, "Very deep convolutional networks for large-scale image recognition" (2014), column E. */
const vgg19: Suite = {
  name: 'vgg19',
  title: 'VGG19',
  description: '3x3 filters throughout, on 224x224 images.',
  batch: 32,
  layers: PARTS.flatMap(({ channels, size, convolutions }, part) =>
    Array.from({ length: convolutions }, (_, i) => {
      const inputs = i > 0 ? channels : part === 0 ? 3 : PARTS[part - 1].channels;
      return { name: `conv${part + 1}_${i + 1}`, sizes: square(inputs, size, channels, 3, 1) };
    }),
  ),
};

/** Image size, input channels, and filters: 1x1, reduction for 3x3, 3x3, reduction for 5x5, 5x5, after the pooling. */
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
const googlenet: Suite = {
  name: 'googlenet',
  title: 'GoogLeNet',
  description: 'Parallel 1x1, 3x3 and 5x5 filters, on 224x224 images.',
  batch: 32,
  layers: [
    { name: 'conv1/7x7_s2', sizes: square(3, 224, 64, 7, 3, 2) },
    { name: 'conv2/3x3_reduce', sizes: square(64, 56, 64, 1) },
    { name: 'conv2/3x3', sizes: square(64, 56, 192, 3, 1) },
    ...INCEPTIONS.flatMap(inception),
  ],
};

/** Image size, input channels, filters that squeeze, and filters of either size that expand. */
const FIRES: readonly [name: string, size: number, C: number, squeeze: number, expand: number][] = [
  ['fire2', 54, 96, 16, 64],
  ['fire3', 54, 128, 16, 64],
  ['fire4', 54, 128, 32, 128],
  ['fire5', 27, 256, 32, 128],
  ['fire6', 27, 256, 48, 192],
  ['fire7', 27, 384, 48, 192],
  ['fire8', 27, 384, 64, 256],
  ['fire9', 13, 512, 64, 256],
];

const fire = ([name, size, C, squeeze, expand]: (typeof FIRES)[number]): SuiteLayer[] => [
  { name: `${name}/squeeze1x1`, sizes: square(C, size, squeeze, 1) },
  { name: `${name}/expand1x1`, sizes: square(squeeze, size, expand, 1) },
  { name: `${name}/expand3x3`, sizes: square(squeeze, size, expand, 3, 1) },
];

/** Iandola et al., "SqueezeNet: AlexNet-level accuracy with 50x fewer parameters" (2016), table 1: version 1.0. */
const squeezenet: Suite = {
  name: 'squeezenet',
  title: 'SqueezeNet',
  description: 'Fire modules of 1x1 and 3x3 filters, on 224x224 images.',
  batch: 32,
  layers: [
    { name: 'conv1', sizes: square(3, 224, 96, 7, 0, 2) },
    ...FIRES.flatMap(fire),
    { name: 'conv10', sizes: square(512, 13, 1000, 1) },
  ],
};

export const suites = new Registry<Suite>('suite', [
  alexnet,
  awnn,
  googlenet,
  layers,
  lenet5,
  published,
  resnet20,
  resnet50,
  squeezenet,
  unseen,
  unseen2,
  unseen3,
  vgg19,
]);
