import { FAMILY, plainResnet } from './families/resnet.ts';
import type { Model } from './model.ts';

/**
 * A residual network reduced to what is essential: a convolution, two residual blocks of convolution and ReLU at each
 * of three sizes, global average pooling and a fully connected layer. Without batch normalisation it learns slower and
 * wants a smaller learning rate, and its steps take less memory and time.
 */
const resnetPlain: Model = {
  name: 'resnet_plain',
  title: 'Plain ResNet',
  description:
    'Residual blocks of convolution and ReLU alone: what shortcuts do without batch normalisation.',
  family: FAMILY,
  input: [3, 32, 32],
  classes: 10,
  weightsInit: 'kaiming_normal',
  layers: plainResnet([16, 32, 64], 2),
};

export default resnetPlain;
