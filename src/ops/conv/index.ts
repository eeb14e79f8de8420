import { bias, by, differs, dilation, kernelSize, padding, short, type About } from '../about.ts';
import { numberOf, windowReads, windowsOf } from '../layer.ts';

export default {
  op: 'conv',
  group: 'Convolution and linear',
  everyday: 'Small patterns slide over the image, and each leaves a map of where it was found.',
  explanation:
    'Slides small filters over its input. Each filter detects one pattern; its feature map shows where the pattern occurs. Strictly, it is a cross-correlation, as everywhere in deep learning: filters are not turned round.',
  variants: {
    Depthwise:
      'Applies one filter per channel. Cheap, because channels are not mixed; a 1 × 1 convolution usually follows to mix them.',
  },
  attributes: {
    outChannels: { title: 'Filters', initial: 16, short: 'filters', hint: 'Number of output channels.' },
    kernelSize: kernelSize([3, 3]),
    stride: { title: 'Stride', listed: true, hint: 'Step between windows. 2 halves height and width.' },
    padding: { ...padding, initial: [1, 1], listed: true },
    dilation,
    groups: {
      title: 'Groups',
      listed: true,
      divides: ['outChannels'],
      hint: 'Each filter sees only the channels of its group. Groups = channels gives a depthwise convolution.',
    },
    bias,
  },
  details: ({ attributes: { outChannels, kernelSize: size, stride, groups } = {} }) => [
    `${String(outChannels)} filters of ${by(size) ?? '?'}`,
    differs(stride, 1) && `stride ${short(stride)}`,
    typeof groups === 'number' && groups > 1 && `${groups} groups`,
  ],
  reads: (layer) => ({ ...windowReads(windowsOf(layer)), groups: numberOf(layer, 'groups') }),
} satisfies About;
