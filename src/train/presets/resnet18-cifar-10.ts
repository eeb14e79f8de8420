import type { Preset } from './preset.ts';

const preset: Preset = {
  name: 'resnet18-cifar-10',
  title: 'ResNet-18 on CIFAR-10',
  description:
    'Eleven million parameters get to 94 % with the very settings of ResNet-20, in 40 epochs: 157 seconds on an NVIDIA H200. For large GPUs.',
  light: false,
  model: 'resnet18',
  dataset: 'cifar-10',
  epochs: 40,
  batchSize: 128,
  optimizer: 'sgd',
  settings: { lr: 0.1, momentum: 0.9, nesterov: true, weightDecay: 5e-4 },
  schedule: 'cosine',
  warmupEpochs: 2,
  augmentation: { crop: 4, flip: 1 },
};

export default preset;
