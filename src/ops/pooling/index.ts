import { elements, type Shape } from '../../base/shape.ts';
import { by, differs, dilation, kernelSize, largest, padding, short, type About } from '../about.ts';
import { windowReads, windowsOf } from '../layer.ts';

/** What pooling of windows shares. */
const windowed: Pick<About, 'group' | 'stem' | 'attributes' | 'details' | 'reads'> = {
  group: 'Pooling',
  stem: 'pool',
  attributes: {
    kernelSize: kernelSize([2, 2]),
    stride: { title: 'Stride', hint: 'Step between windows. Defaults to the kernel size (no overlap).' },
    padding,
  },
  details: ({ attributes: { kernelSize: size, stride } = {} }) => [
    `windows of ${by(size) ?? '?'}`,
    by(stride) !== by(size) && stride !== undefined && `stride ${short(stride)}`,
  ],
  reads: (layer) => windowReads(windowsOf(layer)),
};

/** What adaptive pooling shares. */
const adaptive: Pick<About, 'group' | 'attributes' | 'details' | 'reads'> = {
  group: 'Pooling',
  attributes: {
    outputSize: {
      title: 'Output size',
      initial: [1, 1],
      short: 'output',
      hint: 'Height and width. 1 × 1 gives one value per channel.',
    },
  },
  details: ({ attributes: { outputSize } = {} }) => [differs(outputSize, 1) && `to ${by(outputSize)}`],
  reads: () => ({ kind: 'adaptive' }),
};

const mean = (values: readonly number[], sum: number, count: number) => ({
  formula: `the sum of ${values.length} values over ${count}`,
  result: sum / count,
});

export default [
  {
    op: 'max_pool',
    ...windowed,
    everyday:
      'Keeps the largest number of each small square. The maps shrink, and it matters less where exactly something is.',
    explanation:
      'Takes the maximum of each window: smaller feature maps and less sensitivity to exact position.',
    attributes: { ...windowed.attributes, dilation },
    workOut: largest,
  },
  {
    op: 'avg_pool',
    ...windowed,
    everyday: 'Takes the average of each small square. The maps shrink and get smoother.',
    explanation: 'Takes the mean of each window: maps get smaller and smoother.',
    attributes: {
      ...windowed.attributes,
      countIncludePad: {
        title: 'Include padding',
        short: 'padding counts',
        hint: 'Include the zero padding in the mean.',
      },
    },
    workOut({ values, sum, attributes: { countIncludePad, kernelSize: size } }) {
      return mean(values, sum, countIncludePad ? elements(size as Shape) : values.length);
    },
  },
  {
    op: 'adaptive_avg_pool',
    ...adaptive,
    title: 'Global average pooling',
    stem: 'avgpool',
    everyday: 'Takes the average of each map, or of each part of it, whatever its size.',
    explanation: 'Mean per channel, or per cell of a fixed output size, for any input size.',
    workOut: ({ values, sum }) => mean(values, sum, values.length),
  },
  {
    op: 'adaptive_max_pool',
    ...adaptive,
    title: 'Global max pooling',
    stem: 'maxpool',
    everyday: 'Takes the largest number of each map, or of each part of it, whatever its size.',
    explanation: 'Maximum per channel, or per cell of a fixed output size, for any input size.',
    workOut: largest,
  },
] satisfies About[];
