/** Presets: a model, data and settings that are known to work, with measured results. */
import { NO_AUGMENTATION } from '../base/augmentation.ts';
import { Registry } from '../base/registry.ts';
import { completed } from './settings/rules.ts';
import type { RunSettings } from './settings/table.ts';

export interface Preset {
  /** "resnet20-cifar-10" */
  readonly name: string;
  /** For display: "ResNet-20 on CIFAR-10". */
  readonly title: string;
  /** The result, and the reason for its settings. */
  readonly description: string;
  /** Whether it is worth waiting for without a GPU. */
  readonly light: boolean;
  /** A registered model's name. */
  readonly model: string;
  /** A data set's name. */
  readonly dataset: string;
  /**
   * Settings that differ from the defaults. Images are augmented only if it says so, whatever the data set's default.
   */
  readonly settings: Readonly<Partial<RunSettings>>;
}

/** Common settings of the ResNets. */
const RESNET: Partial<RunSettings> = {
  batchSize: 128,
  optimizer: 'sgd',
  lr: 0.1,
  momentum: 0.9,
  nesterov: true,
  weightDecay: 5e-4,
  schedule: 'cosine',
  warmupEpochs: 2,
  augmentation: { ...NO_AUGMENTATION, crop: 4, flip: 1 },
};

/** Common settings of the recipes of github.com/KellerJordan/cifar10-airbench. */
const AIRBENCH: Partial<RunSettings> = {
  nesterov: true,
  schedule: 'linear',
  labelSmoothing: 0.2,
  whiten: true,
  trainedEpochs: ['whiten.bias=1-3'],
  testViews: 'shifted',
};

export const presets = new Registry<Preset>('preset', [
  {
    name: 'lenet5-digits',
    title: 'LeNet-5 on synthetic digits',
    description:
      'Start here: a small network on built-in data. Adam with its default learning rate exceeds 95 % test accuracy in two epochs on any machine.',
    light: true,
    model: 'lenet5',
    dataset: 'digits',
    settings: { epochs: 3, batchSize: 64, optimizer: 'adam', lr: 0.001 },
  },
  {
    name: 'lenet5-diverges',
    title: 'LeNet-5, diverging',
    description:
      'A learning rate that is far too high: each step overshoots further than the last, the loss explodes to infinity or NaN within an epoch, and the run fails.',
    light: true,
    model: 'lenet5',
    dataset: 'digits',
    // Without weight decay, all ReLUs can die while the loss is still finite: then it stays large for ever.
    settings: { epochs: 3, batchSize: 64, optimizer: 'sgd', lr: 100, weightDecay: 0.05 },
  },
  {
    name: 'lenet5-mnist',
    title: 'LeNet-5 on MNIST, high accuracy',
    description:
      'Over 99.4 % test accuracy with random crops and a one-cycle schedule. 20 epochs, 1.65 s on an NVIDIA H100.',
    light: true,
    model: 'lenet5',
    dataset: 'mnist',
    settings: {
      epochs: 20,
      batchSize: 128,
      optimizer: 'sgd',
      lr: 0.1,
      momentum: 0.9,
      nesterov: true,
      weightDecay: 5e-4,
      schedule: 'one-cycle',
      augmentation: { ...NO_AUGMENTATION, crop: 2 },
    },
  },
  {
    name: 'lenet5-mnist-sprint',
    title: 'LeNet-5 on MNIST, fast',
    description:
      '99 % test accuracy as fast as possible: AdamW, one-cycle schedule with a high learning rate, no augmentation. 8 epochs, 0.689 s on an NVIDIA H100.',
    light: true,
    model: 'lenet5',
    dataset: 'mnist',
    settings: {
      epochs: 8,
      batchSize: 128,
      optimizer: 'adamw',
      lr: 0.008,
      weightDecay: 0.02,
      schedule: 'one-cycle',
    },
  },
  {
    name: 'mnist-sprint',
    title: 'MNIST in one epoch',
    description:
      'One epoch of Muon on a wide, shallow network (tuomaso/train_mnist_fast). 99.18 % in 0.143 s on an NVIDIA H100.',
    light: true,
    model: 'mnist_sprint',
    dataset: 'mnist',
    settings: {
      epochs: 1,
      batchSize: 256,
      optimizer: 'muon',
      lr: 0.05,
      momentum: 0.9,
      nesterov: true,
      nsSteps: 3,
      schedule: 'linear',
    },
  },
  {
    name: 'lenet-fashion-mnist',
    title: 'LeNet on Fashion-MNIST',
    description: 'A LeNet with tanh and more filters than LeNet-5. 87.8 % test accuracy after one epoch.',
    light: true,
    model: 'fashion_lenet',
    dataset: 'fashion-mnist',
    settings: {
      epochs: 10,
      batchSize: 100,
      optimizer: 'sgd',
      lr: 0.05,
      momentum: 0.9,
      schedule: 'one-cycle',
    },
  },
  {
    name: 'resnet8-shapes',
    title: 'ResNet-8 on synthetic shapes',
    description:
      'Batch normalisation and skip connections on built-in colour images. Linear models fail (13 %): shape must be separated from colour, size and rotation.',
    light: true,
    model: 'resnet8',
    dataset: 'shapes',
    settings: {
      epochs: 10,
      batchSize: 64,
      optimizer: 'sgd',
      lr: 0.1,
      momentum: 0.9,
      nesterov: true,
      weightDecay: 5e-4,
      schedule: 'one-cycle',
    },
  },
  {
    name: 'resnet18-cifar-10',
    title: 'ResNet-18 on CIFAR-10',
    description:
      '11 million parameters, 40 epochs with the ResNet-20 settings: 94.10 % in 157 s on an NVIDIA H200. For large GPUs.',
    light: false,
    model: 'resnet18',
    dataset: 'cifar-10',
    settings: { ...RESNET, epochs: 40 },
  },
  {
    name: 'resnet20-cifar-10',
    title: 'ResNet-20 on CIFAR-10',
    description:
      'Exceeds the ResNet paper’s accuracy (91.25 %) in 64 epochs instead of 164: cosine schedule, Nesterov momentum, weight decay, random crops and flips. 91.75 and 91.90 % in 69.0 s on an NVIDIA H200.',
    light: false,
    model: 'resnet20',
    dataset: 'cifar-10',
    settings: { ...RESNET, epochs: 64 },
  },
  {
    name: 'airbench-cifar-10',
    title: 'airbench94 on CIFAR-10',
    description:
      'A recipe that set a record for reaching 94 % (Jordan 2024): 8 epochs of Muon, whitening filters, alternating mirrors and six views per test image. 93.96 % in 6.96 s on an NVIDIA H100, or 93.98 % in 3.28 s with mixed precision (means of 16 other seeds). For large GPUs.',
    light: false,
    model: 'airbench94',
    dataset: 'cifar-10',
    settings: {
      ...AIRBENCH,
      epochs: 8,
      batchSize: 2000,
      optimizer: 'muon',
      lr: 0.24,
      momentum: 0.6,
      nsSteps: 3,
      rescale: true,
      weightDecay: 3.8e-5,
      // Half the record's rates of SGD, which are for sums over the batch, momentum 0.85 and logits 28 times smaller.
      lrFactors: ['whiten.weight=0', '*.norm*.weight=0', 'whiten.bias=600', '*.norm*.bias=600', 'head=9.2'],
      decayFactors: ['head=64'],
      augmentation: { ...NO_AUGMENTATION, crop: 2, reflect: 1, alternate: 1 },
    },
  },
  {
    name: 'airbench96-cifar-10',
    title: 'airbench96 on CIFAR-10',
    description:
      'A recipe that set a record for reaching 96 % (Jordan 2024), without its lookahead: 37 epochs of SGD on a wider network, with cutout. One run reached 95.86 % in 44.5 s on an NVIDIA H200, in mixed precision. For large GPUs.',
    light: false,
    model: 'airbench96',
    dataset: 'cifar-10',
    settings: {
      ...AIRBENCH,
      epochs: 37,
      batchSize: 1024,
      optimizer: 'sgd',
      lr: 1.174,
      momentum: 0.85,
      weightDecay: 0.00133,
      warmupEpochs: 3.7,
      lrFactors: ['whiten.weight=0', '*.norm*.weight=0', '*.norm*.bias=64'],
      // The learning rate of these biases is 64 times as high, their decay is not.
      decayFactors: ['*.norm*.bias=0.015625'],
      augmentation: { ...NO_AUGMENTATION, crop: 4, reflect: 1, alternate: 1, cutout: 12 },
    },
  },
]);

/** All settings of a preset. */
export const settingsOf = ({ settings }: Preset): RunSettings => completed(settings);

/** In the order of the page: presets that train on any machine without a download come first. */
export const presetsInOrder = presets.all().toSorted((a, b) => Number(b.light) - Number(a.light));
