import type { Layer } from '../engine/network.ts';
import { concat, conv, dropout, globalAverage, flatten, maxPool, relu } from './layers.ts';
import { FULL_SIZE, type Model } from './model.ts';

/** Filters of 1x1 that squeeze the channels, followed by parallel filters of 1x1 and 3x3, `expand` of each. */
function fire(name: string, squeeze: number, expand: number): Layer[] {
  const part = (own: string) => `${name}.${own}`;
  const squeezed = part('squeeze_activation');
  const outputs = [part('expand1x1_activation'), part('expand3x3_activation')];
  return [
    ...[conv(part('squeeze'), squeeze, 1), relu(squeezed)],
    ...[conv(part('expand1x1'), expand, 1, { input: squeezed }), relu(outputs[0])],
    ...[conv(part('expand3x3'), expand, 3, { input: squeezed }), relu(outputs[1])],
    concat(name, outputs),
  ];
}

/**
 * SqueezeNet 1.1 (Iandola et al., "SqueezeNet: AlexNet-level accuracy with 50x fewer parameters", 2016), with
 * torchvision's names and shapes throughout. Fitted to small images: the first convolution has stride 1, and pooling is
 * padded to halve any size.
 */
const squeezenet: Model = {
  name: 'squeezenet',
  title: 'SqueezeNet',
  description: 'Fire modules of 1x1 and 3x3 filters: high accuracy for few parameters.',
  family: 'Light',
  input: [3, 32, 32],
  classes: 10,
  weightsInit: 'kaiming_normal_fan_in',
  layers: [
    ...[conv('features.0', 64, 3), relu('features.1'), maxPool('features.2', 3, 2, { padding: 1 })],
    ...[...fire('features.3', 16, 64), ...fire('features.4', 16, 64)],
    maxPool('features.5', 3, 2, { padding: 1 }),
    ...[...fire('features.6', 32, 128), ...fire('features.7', 32, 128)],
    maxPool('features.8', 3, 2, { padding: 1 }),
    ...[...fire('features.9', 48, 192), ...fire('features.10', 48, 192)],
    ...[...fire('features.11', 64, 256), ...fire('features.12', 64, 256)],
    ...[dropout('classifier.0'), conv('classifier.1', 10, 1), relu('classifier.2')],
    ...[globalAverage('classifier.3'), flatten('flatten')],
  ],
};

/** Version 1.0, of the paper's table 1, with torchvision's names. Padding in one pooling keeps its rounded-up size. */
const published: Model = {
  name: 'squeezenet_224',
  title: 'SqueezeNet, 224×224',
  description: 'As published: version 1.0 with 96 filters of 7x7, 1,000 classes.',
  ...FULL_SIZE,
  weightsInit: 'kaiming_normal_fan_in',
  layers: [
    ...[
      conv('features.0', 96, 7, { stride: 2, padding: 0 }),
      relu('features.1'),
      maxPool('features.2', 3, 2),
    ],
    ...[...fire('features.3', 16, 64), ...fire('features.4', 16, 64), ...fire('features.5', 32, 128)],
    maxPool('features.6', 3, 2, { padding: 1 }),
    ...[...fire('features.7', 32, 128), ...fire('features.8', 48, 192), ...fire('features.9', 48, 192)],
    ...[...fire('features.10', 64, 256), maxPool('features.11', 3, 2), ...fire('features.12', 64, 256)],
    ...[dropout('classifier.0'), conv('classifier.1', FULL_SIZE.classes, 1), relu('classifier.2')],
    ...[globalAverage('classifier.3'), flatten('flatten')],
  ],
};

export default [squeezenet, published];
