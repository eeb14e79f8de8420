import type { Layer } from '../engine/network.ts';
import { FULL_SIZE, type Model } from './model.ts';
import { batchNorm, conv, dropout, flatten, linear, maxPool, relu } from './layers.ts';

/** Channels of the five parts, between which pooling halves height and width. */
const WIDTHS = [64, 128, 256, 512, 512];
/** What differs between images of 32x32 and of 224x224. */
interface Size {
  batchNorm: boolean;
  /** Units of the fully connected layers. */
  hidden: number;
  classes: number;
}
/** With batch normalisation, as is usual today; the last pooling leaves one value per channel of any image. */
const SMALL: Size = { batchNorm: true, hidden: 512, classes: 10 };
const PUBLISHED: Size = { batchNorm: false, hidden: 4096, classes: FULL_SIZE.classes };

/**
 * VGG (Simonyan and Zisserman, "Very deep convolutional networks for large-scale image recognition", 2014) with the names
 * of torchvision's vgg11_bn and vgg19_bn, or without batch normalisation of vgg19.
 * @param convolutions per part
 */
function layersOf(convolutions: readonly number[], size: Size): Layer[] {
  const features: Layer[] = [];
  const next = () => `features.${features.length}`;
  WIDTHS.forEach((width, part) => {
    for (let i = 0; i < convolutions[part]; i++) {
      features.push(conv(next(), width, 3));
      if (size.batchNorm) features.push(batchNorm(next()));
      features.push(relu(next()));
    }
    features.push(
      part < WIDTHS.length - 1 || size === PUBLISHED
        ? maxPool(next(), 2, 2)
        : { name: next(), op: 'adaptive_max_pool', attributes: { outputSize: [1, 1] } },
    );
  });
  return [
    ...features,
    flatten('flatten'),
    ...[linear('classifier.0', size.hidden), relu('classifier.1'), dropout('classifier.2')],
    ...[linear('classifier.3', size.hidden), relu('classifier.4'), dropout('classifier.5')],
    linear('classifier.6', size.classes),
  ];
}

/** For small images. @param convolutions per part */
function vgg(convolutions: readonly number[], description: string): Model {
  const depth = convolutions.reduce((sum, count) => sum + count, 3);
  return {
    name: `vgg${depth}`,
    title: `VGG-${depth}`,
    description,
    family: 'VGG',
    input: [3, 32, 32],
    classes: 10,
    weightsInit: 'kaiming_normal',
    layers: layersOf(convolutions, SMALL),
  };
}

const VGG19 = [2, 2, 4, 4, 4];

export default [
  vgg([1, 1, 2, 2, 2], 'Eight stacked 3x3 convolutions with up to 512 channels. Large; needs a GPU.'),
  vgg(VGG19, 'Sixteen stacked 3x3 convolutions with up to 512 channels. Large; needs a GPU.'),
  {
    name: 'vgg19_224',
    title: 'VGG-19, 224×224',
    description:
      'As published: sixteen 3x3 convolutions without batch normalisation, 4,096 hidden units, 1,000 classes.',
    ...FULL_SIZE,
    weightsInit: 'kaiming_normal',
    layers: layersOf(VGG19, PUBLISHED),
  } satisfies Model,
];
