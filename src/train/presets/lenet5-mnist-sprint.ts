import type { Preset } from './preset.ts';

const preset: Preset = {
  name: 'lenet5-mnist-sprint',
  title: 'LeNet-5 on MNIST, in a sprint',
  description:
    '99 % of the test images as soon as possible: AdamW with a high learning rate in one cycle, images as they are. On an NVIDIA H200 it takes six epochs, half a second.',
  light: true,
  model: 'lenet5',
  dataset: 'mnist',
  epochs: 8,
  batchSize: 128,
  optimizer: 'adamw',
  settings: { lr: 0.008, weightDecay: 0.02 },
  schedule: 'one-cycle',
};

export default preset;
