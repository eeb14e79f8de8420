import type { Layer } from '../engine/network.ts';
import type { Model } from './model.ts';
import { batchNorm, conv, dropout, flatten, linear, maxPool, relu } from './layers.ts';

/** Channels of the five parts, between which pooling halves height and width. */
const WIDTHS = [64, 128, 256, 512, 512];
/** Units of the fully connected layers: 4096 for images of 224x224. */
const HIDDEN = 512;

/**
 * VGG (Simonyan and Zisserman, "Very deep convolutional networks for large-scale image recognition", 2014) with batch
 * normalisation, as is usual today, and with the names of torchvision's vgg11_bn and vgg19_bn. Fitted to small images:
 * the last pooling leaves one value per channel, and the fully connected layers are smaller.
 * @param convolutions per part
 */
function vgg(convolutions: readonly number[], description: string): Model {
  const features: Layer[] = [];
  const next = () => `features.${features.length}`;
  WIDTHS.forEach((width, part) => {
    for (let i = 0; i < convolutions[part]; i++) {
      features.push(conv(next(), width, 3));
      features.push(batchNorm(next()));
      features.push(relu(next()));
    }
    features.push(
      part < WIDTHS.length - 1
        ? maxPool(next(), 2, 2)
        : { name: next(), op: 'adaptive_max_pool', attributes: { outputSize: [1, 1] } },
    );
  });
  const depth = convolutions.reduce((sum, count) => sum + count, 3);
  return {
    name: `vgg${depth}`,
    title: `VGG-${depth}`,
    description,
    family: 'VGG',
    input: [3, 32, 32],
    classes: 10,
    weightsInit: 'kaiming_normal',
    layers: [
      ...features,
      flatten('flatten'),
      ...[linear('classifier.0', HIDDEN), relu('classifier.1'), dropout('classifier.2')],
      ...[linear('classifier.3', HIDDEN), relu('classifier.4'), dropout('classifier.5')],
      linear('classifier.6', 10),
    ],
  };
}

export default [
  vgg([1, 1, 2, 2, 2], 'Eight stacked 3x3 convolutions with up to 512 channels. Large; needs a GPU.'),
  vgg([2, 2, 4, 4, 4], 'Sixteen stacked 3x3 convolutions with up to 512 channels. Large; needs a GPU.'),
];
