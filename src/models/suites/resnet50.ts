import { square, type Suite, type SuiteLayer } from './suite.ts';

/** Blocks, channels inside them, and image size behind them. */
const STAGES = [
  { blocks: 3, channels: 64, size: 56 },
  { blocks: 4, channels: 128, size: 28 },
  { blocks: 6, channels: 256, size: 14 },
  { blocks: 3, channels: 512, size: 7 },
];

function stage({ blocks, channels, size }: (typeof STAGES)[number], i: number): SuiteLayer[] {
  const outputs = 4 * channels;
  return Array.from({ length: blocks }, (_, block): SuiteLayer[] => {
    const name = `conv${i + 2}_${block + 1}`;
    const first = block === 0;
    const inputs = first ? (i === 0 ? 64 : 2 * channels) : outputs;
    // The first block of a stage halves the image in its first convolution.
    const stride = first && i > 0 ? 2 : 1;
    return [
      { name: `${name}/1x1_reduce`, sizes: square(inputs, size * stride, channels, 1, 0, stride) },
      { name: `${name}/3x3`, sizes: square(channels, size, channels, 3, 1) },
      { name: `${name}/1x1_increase`, sizes: square(channels, size, outputs, 1) },
      ...(first
        ? [{ name: `${name}/1x1_proj`, sizes: square(inputs, size * stride, outputs, 1, 0, stride) }]
        : []),
    ];
  }).flat();
}

/** He, Zhang, Ren and Sun, "Deep residual learning for image recognition" (2015), table 1. */
const suite: Suite = {
  name: 'resnet50',
  title: 'ResNet-50',
  description: 'Bottlenecks of 1x1, 3x3 and 1x1, on images of 224x224.',
  batch: 32,
  layers: [{ name: 'conv1', sizes: square(3, 224, 64, 7, 3, 2) }, ...STAGES.flatMap(stage)],
};

export default suite;
