import { FAMILY, resnet } from './families/resnet.ts';
import type { Model } from './model.ts';

/**
 * ResNet-18 with its stem fitted to small images, as is usual for CIFAR-10: 3x3 with stride 1 in place of 7x7 with
 * stride 2 and pooling. All else, names too, is torchvision's.
 */
const resnet18: Model = {
  name: 'resnet18',
  title: 'ResNet-18',
  description:
    'The residual network of eighteen layers with its first layer fitted to small images. Large: for a real GPU.',
  family: FAMILY,
  input: [3, 32, 32],
  classes: 10,
  weightsInit: 'kaiming_normal',
  layers: resnet([64, 128, 256, 512], 2),
};

export default resnet18;
