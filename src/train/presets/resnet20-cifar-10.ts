import type { Preset } from './preset.ts';

const preset: Preset = {
  name: 'resnet20-cifar-10',
  title: 'ResNet-20 on CIFAR-10',
  description:
    'The accuracy of the ResNet paper (91.25 %) and a little more, in 64 epochs in place of 164: a learning rate that falls along a cosine, Nesterov’s momentum, weight decay, and images that are moved and mirrored. Two runs ended at 91.8 and 91.9 % after 69 seconds on an NVIDIA H200.',
  light: false,
  model: 'resnet20',
  dataset: 'cifar-10',
  epochs: 64,
  batchSize: 128,
  optimizer: 'sgd',
  settings: { lr: 0.1, momentum: 0.9, nesterov: true, weightDecay: 5e-4 },
  schedule: 'cosine',
  warmupEpochs: 2,
  augmentation: { crop: 4, flip: 1 },
};

export default preset;
