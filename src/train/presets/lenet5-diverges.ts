import type { Preset } from './preset.ts';

const preset: Preset = {
  name: 'lenet5-diverges',
  title: 'LeNet-5, far too fast',
  description:
    'What a learning rate that is much too high does: each step overshoots, the loss grows until it is no number any more, and training stops by itself.',
  light: true,
  model: 'lenet5',
  dataset: 'digits',
  epochs: 3,
  batchSize: 64,
  optimizer: 'sgd',
  settings: { lr: 20, momentum: 0.9 },
};

export default preset;
