import { square, type Suite } from './suite.ts';

/** Channels, image size and convolutions of each part. */
const PARTS = [
  { channels: 64, size: 224, convolutions: 2 },
  { channels: 128, size: 112, convolutions: 2 },
  { channels: 256, size: 56, convolutions: 4 },
  { channels: 512, size: 28, convolutions: 4 },
  { channels: 512, size: 14, convolutions: 4 },
];

/** Simonyan and Zisserman, "Very deep convolutional networks for large-scale image recognition" (2014), column E. */
const suite: Suite = {
  name: 'vgg19',
  title: 'VGG19',
  description: 'Filters of 3x3 throughout, on images of 224x224.',
  batch: 32,
  layers: PARTS.flatMap(({ channels, size, convolutions }, part) =>
    Array.from({ length: convolutions }, (_, i) => {
      const inputs = i > 0 ? channels : part === 0 ? 3 : PARTS[part - 1].channels;
      return { name: `conv${part + 1}_${i + 1}`, sizes: square(inputs, size, channels, 3, 1) };
    }),
  ),
};

export default suite;
