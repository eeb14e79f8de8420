/** Presets: a model, data and settings that are known to work. preset-descriptions.ts has their results. */
import { NO_AUGMENTATION } from '../base/augmentation.ts';
import { Registry } from '../base/registry.ts';
import { completed } from './settings/rules.ts';
import type { RunSettings } from './settings/table.ts';

export interface Preset {
  /** "resnet20-cifar-10" */
  readonly name: string;
  /** For display: "ResNet-20 on CIFAR-10". */
  readonly title: string;
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

/** The description of the first one, which a page starts with. */
export const START_HERE =
  'Start here: a small network on built-in data. Adam with its default learning rate exceeds 95 % test accuracy in two epochs on any machine.';

export const presets = new Registry<Preset>('preset', [
  {
    name: 'lenet5-digits',
    title: 'LeNet-5 on synthetic digits',
    light: true,
    model: 'lenet5',
    dataset: 'digits',
    settings: { epochs: 3, batchSize: 64, optimizer: 'adam', lr: 0.001 },
  },
  {
    name: 'lenet5-diverges',
    title: 'LeNet-5, diverging',
    light: true,
    model: 'lenet5',
    dataset: 'digits',
    // With 10,000 and less, all ReLUs can die while the loss is still finite: then it stays large for ever.
    settings: { epochs: 3, batchSize: 64, optimizer: 'sgd', lr: 100_000 },
  },
  {
    name: 'lenet5-mnist',
    title: 'LeNet-5 on MNIST, high accuracy',
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
    light: false,
    model: 'resnet18',
    dataset: 'cifar-10',
    settings: { ...RESNET, epochs: 40 },
  },
  {
    name: 'resnet20-cifar-10',
    title: 'ResNet-20 on CIFAR-10',
    light: false,
    model: 'resnet20',
    dataset: 'cifar-10',
    settings: { ...RESNET, epochs: 64 },
  },
  {
    name: 'airbench-cifar-10',
    title: 'airbench94 on CIFAR-10',
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
      weightDecay: 0.001333,
      warmupEpochs: 3.7,
      lrFactors: ['whiten.weight=0', '*.norm*.weight=0', '*.norm*.bias=64'],
      // The learning rate of these biases is 64 times as high, their decay is not.
      decayFactors: ['*.norm*.bias=0.015625'],
      lookahead: 5,
      augmentation: { ...NO_AUGMENTATION, crop: 4, reflect: 1, alternate: 1, cutout: 12 },
    },
  },
]);

/** All settings of a preset. */
export const settingsOf = ({ settings }: Preset): RunSettings => completed(settings);

/** In the order of the page: presets that train on any machine without a download come first. */
export const presetsInOrder = presets.all().toSorted((a, b) => Number(b.light) - Number(a.light));
