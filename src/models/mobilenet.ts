import type { Layer } from '../engine/network.ts';
import type { Model } from './model.ts';
import { batchNorm, conv, flatten, globalAverage, linear, relu } from './layers.ts';

/** Channels and stride of each pair of convolutions, for images of 32x32: the published strides, except two. */
const PAIRS: readonly (readonly [width: number, stride: number])[] = [
  ...([
    [64, 1],
    [128, 1],
    [128, 1],
    [256, 2],
    [256, 1],
    [512, 2],
  ] as const),
  ...([
    [512, 1],
    [512, 1],
    [512, 1],
    [512, 1],
    [512, 1],
    [1024, 2],
    [1024, 1],
  ] as const),
];

/**
 * MobileNet (Howard et al., "MobileNets: Efficient convolutional neural networks for mobile vision applications", 2017):
 * each convolution is a depthwise 3x3, then a pointwise 1x1. Fitted to small images: the first two strides are 1.
 * @param alpha the width multiplier: factor on the published channels
 */
export function mobilenet(alpha: number): Layer[] {
  const unit = (name: string, width: number, size: number, options: { stride?: number; groups?: number }) => [
    conv(`${name}.0`, width, size, { ...options, bias: false }),
    batchNorm(`${name}.1`),
    relu(`${name}.2`),
  ];
  let channels = 32 * alpha;
  const layers = unit('stem', channels, 3, {});
  PAIRS.forEach(([width, stride], i) => {
    layers.push(...unit(`layers.${i}.depthwise`, channels, 3, { stride, groups: channels }));
    channels = width * alpha;
    layers.push(...unit(`layers.${i}.pointwise`, channels, 1, {}));
  });
  return [...layers, globalAverage('avgpool'), flatten('flatten'), linear('fc', 10)];
}

const small: Model = {
  name: 'mobilenet',
  title: 'MobileNet 0.25',
  description: 'Depthwise separable convolutions: few parameters, few FLOPs.',
  family: 'Light',
  input: [3, 32, 32],
  classes: 10,
  weightsInit: 'kaiming_normal',
  layers: mobilenet(0.25),
};

export default small;
