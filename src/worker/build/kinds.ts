/** Every kind of layer, as the Build screen offers it: words for people, and what can be set. */
import type { AttributeKind, LayerKind } from '../api.ts';

const whole = (
  name: string,
  title: string,
  hint: string,
  rest: { least?: number; initial?: number; default?: number },
): AttributeKind => ({ kind: 'whole', ...{ name, title, hint, least: 1 }, ...rest });

const pair = (
  name: string,
  title: string,
  hint: string,
  rest: { least?: number; initial?: [number, number]; default?: [number, number]; follows?: string },
): AttributeKind => ({ kind: 'pair', ...{ name, title, hint, least: 1 }, ...rest });

const number = (
  name: string,
  title: string,
  hint: string,
  rest: { least?: number; most?: number; open?: ('least' | 'most')[]; default: number },
): AttributeKind => ({
  kind: 'number',
  ...{ name, title, hint, least: -1e20, most: 1e20, open: [] },
  ...rest,
});

const bias: AttributeKind = {
  ...{ name: 'bias', title: 'Bias', kind: 'switch', default: true },
  hint: 'A number to add for each output. Not needed in front of batch normalisation.',
};
const stride = pair('stride', 'Stride', 'How far the window moves. 2 halves the image.', { default: [1, 1] });
const padding = (rest: { initial?: [number, number] } = {}) =>
  pair('padding', 'Padding', 'Rows and columns added around the image.', {
    least: 0,
    default: [0, 0],
    ...rest,
  });
const dilation = pair('dilation', 'Dilation', 'How far apart the window’s points are.', { default: [1, 1] });
const window = (initial: [number, number]) => pair('kernelSize', 'Window', 'Height and width.', { initial });
const pooling = [
  window([2, 2]),
  pair('stride', 'Stride', 'How far the window moves. By default, windows do not overlap.', {
    follows: 'kernelSize',
  }),
  padding(),
];
const outputSize = pair('outputSize', 'Output size', 'Height and width. 1 × 1 leaves a number a channel.', {
  initial: [1, 1],
});

const activation = (
  op: string,
  title: string,
  explanation: string,
  attributes: AttributeKind[] = [],
  stem = op.replaceAll('_', ''),
): LayerKind => ({ ...{ op, title, explanation, attributes, stem }, group: 'Activate', joins: false });

/** In the order of the palette. */
export const LAYER_KINDS: readonly LayerKind[] = [
  {
    ...{ op: 'conv', title: 'Convolution', group: 'Learn', stem: 'conv', joins: false },
    explanation:
      'Slides small filters over its input. Each filter answers to one pattern, and its map shows where the pattern is.',
    attributes: [
      whole('outChannels', 'Filters', 'How many patterns to look for: the channels it puts out.', {
        initial: 16,
      }),
      window([3, 3]),
      stride,
      padding({ initial: [1, 1] }),
      dilation,
      whole('groups', 'Groups', 'Filters see only their group’s channels. As many as channels: depthwise.', {
        default: 1,
      }),
      bias,
    ],
  },
  {
    ...{ op: 'linear', title: 'Fully connected', group: 'Learn', stem: 'fc', joins: false },
    explanation: 'Each output is a weighted sum of all inputs: here what was seen is put together.',
    attributes: [whole('outFeatures', 'Outputs', 'How many numbers it puts out.', { initial: 64 }), bias],
  },
  activation(
    'relu',
    'ReLU',
    'Sets negative numbers to zero. Without such a bend, many layers could do no more than one.',
  ),
  activation(
    'leaky_relu',
    'Leaky ReLU',
    'Lets a little of negative numbers through, so that no unit falls silent for good.',
    [number('negativeSlope', 'Negative slope', 'How much of negative numbers is left.', { default: 0.01 })],
  ),
  activation('elu', 'ELU', 'Bends negative numbers smoothly towards a floor.', [
    number('alpha', 'Alpha', 'How deep the floor lies.', { default: 1 }),
  ]),
  activation(
    'gelu',
    'GELU',
    'A smooth ReLU: each number times the chance that a normal number is below it.',
    [
      {
        ...{
          name: 'approximate',
          title: 'Approximation',
          kind: 'choice',
          options: ['none', 'tanh'],
          default: 'none',
        },
        hint: 'By a hyperbolic tangent, or none.',
      },
    ],
  ),
  activation('silu', 'SiLU', 'A smooth ReLU: each number times its sigmoid. Also called swish.'),
  activation('sigmoid', 'Sigmoid', 'Squeezes every number to between 0 and 1.'),
  activation('tanh', 'Tanh', 'Squeezes every number to between −1 and 1.'),
  activation('softplus', 'Softplus', 'A ReLU with a round corner.', [
    number('beta', 'Beta', 'The larger, the sharper the corner.', { least: 0, open: ['least'], default: 1 }),
    number('threshold', 'Threshold', 'Above it, nothing is bent.', { default: 20 }),
  ]),
  {
    ...{ op: 'maxout', title: 'Maxout', group: 'Activate', stem: 'maxout', joins: false },
    explanation: 'Lets channels compete: of each few that follow one another, the largest goes on.',
    attributes: [whole('pieces', 'Pieces', 'How many compete for each output.', { initial: 2 })],
  },
  {
    ...{ op: 'max_pool', title: 'Max pooling', group: 'Shrink', stem: 'pool', joins: false },
    explanation:
      'Keeps the largest number of each window: maps get smaller, and where exactly something is matters less.',
    attributes: [...pooling, dilation],
  },
  {
    ...{ op: 'avg_pool', title: 'Average pooling', group: 'Shrink', stem: 'pool', joins: false },
    explanation: 'Takes the mean of each window: maps get smaller and smoother.',
    attributes: [
      ...pooling,
      {
        ...{ name: 'countIncludePad', title: 'Count the padding', kind: 'switch', default: true },
        hint: 'Whether zeros around the image count in the mean.',
      },
    ],
  },
  {
    ...{ op: 'adaptive_avg_pool', title: 'Global average', group: 'Shrink', stem: 'avgpool', joins: false },
    explanation:
      'The mean of each channel, or of as many windows as are asked for, whatever the image’s size.',
    attributes: [outputSize],
  },
  {
    ...{ op: 'adaptive_max_pool', title: 'Global maximum', group: 'Shrink', stem: 'maxpool', joins: false },
    explanation:
      'The largest of each channel, or of as many windows as are asked for, whatever the image’s size.',
    attributes: [outputSize],
  },
  {
    ...{ op: 'batch_norm', title: 'Batch normalisation', group: 'Normalise', stem: 'bn', joins: false },
    explanation:
      'Brings each channel to mean 0 and variance 1 over the batch, then scales it as it learns to: deep networks train faster.',
    attributes: [
      number('eps', 'Epsilon', 'Added to the variance, so that it is never zero.', {
        least: 0,
        open: ['least'],
        default: 1e-5,
      }),
      number('momentum', 'Momentum', 'How far a batch moves the running mean and variance.', {
        least: 0,
        most: 1,
        default: 0.1,
      }),
    ],
  },
  {
    ...{ op: 'dropout', title: 'Dropout', group: 'Normalise', stem: 'dropout', joins: false },
    explanation: 'Sets some numbers to zero by chance while training, so that no unit relies on another.',
    attributes: [
      number('p', 'Probability', 'Of each number to be dropped.', { least: 0, most: 1, default: 0.5 }),
    ],
  },
  {
    ...{ op: 'flatten', title: 'Flatten', group: 'Join and reshape', stem: 'flatten', joins: false },
    explanation: 'Lines all maps up as one row of numbers. Nothing is computed.',
    attributes: [],
  },
  {
    ...{ op: 'add', title: 'Sum', group: 'Join and reshape', stem: 'add', joins: true },
    explanation: 'Adds its inputs number by number: what closes a residual block.',
    attributes: [],
  },
  {
    ...{ op: 'concat', title: 'Concatenation', group: 'Join and reshape', stem: 'concat', joins: true },
    explanation: 'Puts its inputs’ channels one after the other.',
    attributes: [],
  },
];
