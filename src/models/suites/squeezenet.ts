import { square, type Suite, type SuiteLayer } from './suite.ts';

/** Image size, input channels, filters that squeeze, and filters of either size that expand. */
const FIRES: readonly [name: string, size: number, C: number, squeeze: number, expand: number][] = [
  ['fire2', 54, 96, 16, 64],
  ['fire3', 54, 128, 16, 64],
  ['fire4', 54, 128, 32, 128],
  ['fire5', 27, 256, 32, 128],
  ['fire6', 27, 256, 48, 192],
  ['fire7', 27, 384, 48, 192],
  ['fire8', 27, 384, 64, 256],
  ['fire9', 13, 512, 64, 256],
];

const fire = ([name, size, C, squeeze, expand]: (typeof FIRES)[number]): SuiteLayer[] => [
  { name: `${name}/squeeze1x1`, sizes: square(C, size, squeeze, 1) },
  { name: `${name}/expand1x1`, sizes: square(squeeze, size, expand, 1) },
  { name: `${name}/expand3x3`, sizes: square(squeeze, size, expand, 3, 1) },
];

/** Iandola et al., "SqueezeNet: AlexNet-level accuracy with 50x fewer parameters" (2016), table 1: version 1.0. */
const suite: Suite = {
  name: 'squeezenet',
  title: 'SqueezeNet',
  description: 'Few channels between 1x1 and 3x3, on images of 224x224.',
  batch: 32,
  layers: [
    { name: 'conv1', sizes: square(3, 224, 96, 7, 0, 2) },
    ...FIRES.flatMap(fire),
    { name: 'conv10', sizes: square(512, 13, 1000, 1) },
  ],
};

export default suite;
