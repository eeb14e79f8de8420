import { square, type Suite, type SuiteLayer } from './suite.ts';

/** A stage of three blocks; the first block of all but the first stage halves the image. */
function stage(number: number, inputs: number, size: number, channels: number): SuiteLayer[] {
  const stride = inputs === channels ? 1 : 2;
  const inner = square(channels, size / stride, channels, 3, 1);
  return [
    { name: `layer${number}.0.conv1`, sizes: square(inputs, size, channels, 3, 1, stride) },
    { name: `layer${number}.0.conv2`, sizes: inner },
    ...(stride === 2
      ? [{ name: `layer${number}.0.shortcut`, sizes: square(inputs, size, channels, 1, 0, stride) }]
      : []),
    ...[1, 2].flatMap((block) => [
      { name: `layer${number}.${block}.conv1`, sizes: inner },
      { name: `layer${number}.${block}.conv2`, sizes: inner },
    ]),
  ];
}

/** He, Zhang, Ren and Sun, "Deep residual learning for image recognition" (2015), part 4.2; projections as shortcuts. */
const suite: Suite = {
  name: 'resnet20',
  title: 'ResNet-20',
  description: 'The residual network for images of 32x32.',
  batch: 128,
  layers: [
    { name: 'conv1', sizes: square(3, 32, 16, 3, 1) },
    ...stage(1, 16, 32, 16),
    ...stage(2, 16, 32, 32),
    ...stage(3, 32, 16, 64),
  ],
};

export default suite;
