import type { Preset } from './preset.ts';

const preset: Preset = {
  name: 'resnet8-shapes',
  title: 'ResNet-8 on synthetic shapes',
  description:
    'Colour, batch normalisation and shortcuts on data that come with the page. Linear models fail here (13 %): shape has to be told from colour, size and turn.',
  light: true,
  model: 'resnet8',
  dataset: 'shapes',
  epochs: 10,
  batchSize: 64,
  optimizer: 'sgd',
  settings: { lr: 0.1, momentum: 0.9, nesterov: true, weightDecay: 5e-4 },
  schedule: 'one-cycle',
};

export default preset;
