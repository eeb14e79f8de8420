/**
 * Every kind of layer, as the Build screen offers it: words for people, and what new layers start with. What can be set
 * of it, in which bounds, and how many inputs it takes, the op says.
 */
import type { AttributeSpec } from '../../engine/attributes.ts';
import { ops } from '../../engine/ops/registry.ts';
import type { AttributeKind, LayerKind } from '../api.ts';

type Pair = readonly [number, number];

/** An attribute in words, and what it starts as or is by default; see AttributeKind. */
type Words = { title: string; hint: string } & (
  | { kind: 'whole'; initial?: number; default?: number }
  | { kind: 'pair'; initial?: Pair; default?: Pair; follows?: string }
  | { kind: 'number'; default: number }
  | { kind: 'flag'; default: boolean }
  | { kind: 'choice'; default: string }
);

/** By the attribute's name. */
type Wordings = Readonly<Record<string, Words>>;

/** A kind of layer in words. */
interface Wording extends Pick<LayerKind, 'op' | 'title' | 'group' | 'explanation'> {
  /** Default: the op's name. */
  stem?: string;
  attributes?: Wordings;
}

const BIAS: Wordings = {
  bias: {
    kind: 'flag',
    title: 'Bias',
    default: true,
    hint: 'A number to add for each output. Not needed in front of batch normalisation.',
  },
};
const window = (initial: Pair): Wordings => ({
  kernelSize: { kind: 'pair', title: 'Window', hint: 'Height and width.', initial },
});
const padding = (rest: { initial?: Pair } = {}): Wordings => ({
  padding: {
    kind: 'pair',
    title: 'Padding',
    hint: 'Rows and columns added around the image.',
    default: [0, 0],
    ...rest,
  },
});
const DILATION: Wordings = {
  dilation: {
    kind: 'pair',
    title: 'Dilation',
    default: [1, 1],
    hint: 'How far apart the window’s points are.',
  },
};
const POOLING: Wordings = {
  ...window([2, 2]),
  stride: {
    kind: 'pair',
    title: 'Stride',
    follows: 'kernelSize',
    hint: 'How far the window moves. By default, windows do not overlap.',
  },
  ...padding(),
};
const OUTPUT_SIZE: Wordings = {
  outputSize: {
    kind: 'pair',
    title: 'Output size',
    initial: [1, 1],
    hint: 'Height and width. 1 × 1 leaves a number a channel.',
  },
};

/** In the order of the palette. */
const WORDINGS: readonly Wording[] = [
  {
    op: 'conv',
    title: 'Convolution',
    group: 'Learn',
    explanation:
      'Slides small filters over its input. Each filter answers to one pattern, and its map shows where the pattern is.',
    attributes: {
      outChannels: {
        kind: 'whole',
        title: 'Filters',
        initial: 16,
        hint: 'How many patterns to look for: the channels it puts out.',
      },
      ...window([3, 3]),
      stride: {
        kind: 'pair',
        title: 'Stride',
        default: [1, 1],
        hint: 'How far the window moves. 2 halves the image.',
      },
      ...padding({ initial: [1, 1] }),
      ...DILATION,
      groups: {
        kind: 'whole',
        title: 'Groups',
        default: 1,
        hint: 'Filters see only their group’s channels. As many as channels: depthwise.',
      },
      ...BIAS,
    },
  },
  {
    op: 'linear',
    title: 'Fully connected',
    group: 'Learn',
    stem: 'fc',
    explanation: 'Each output is a weighted sum of all inputs: here what was seen is put together.',
    attributes: {
      outFeatures: { kind: 'whole', title: 'Outputs', initial: 64, hint: 'How many numbers it puts out.' },
      ...BIAS,
    },
  },
  {
    op: 'relu',
    title: 'ReLU',
    group: 'Activate',
    explanation: 'Sets negative numbers to zero. Without such a bend, many layers could do no more than one.',
  },
  {
    op: 'leaky_relu',
    title: 'Leaky ReLU',
    group: 'Activate',
    stem: 'leakyrelu',
    explanation: 'Lets a little of negative numbers through, so that no unit falls silent for good.',
    attributes: {
      negativeSlope: {
        kind: 'number',
        title: 'Negative slope',
        default: 0.01,
        hint: 'How much of negative numbers is left.',
      },
    },
  },
  {
    op: 'elu',
    title: 'ELU',
    group: 'Activate',
    explanation: 'Bends negative numbers smoothly towards a floor.',
    attributes: { alpha: { kind: 'number', title: 'Alpha', hint: 'How deep the floor lies.', default: 1 } },
  },
  {
    op: 'gelu',
    title: 'GELU',
    group: 'Activate',
    explanation: 'A smooth ReLU: each number times the chance that a normal number is below it.',
    attributes: {
      approximate: {
        kind: 'choice',
        title: 'Approximation',
        default: 'none',
        hint: 'By a hyperbolic tangent, or none.',
      },
    },
  },
  {
    op: 'silu',
    title: 'SiLU',
    group: 'Activate',
    explanation: 'A smooth ReLU: each number times its sigmoid. Also called swish.',
  },
  {
    op: 'sigmoid',
    title: 'Sigmoid',
    group: 'Activate',
    explanation: 'Squeezes every number to between 0 and 1.',
  },
  { op: 'tanh', title: 'Tanh', group: 'Activate', explanation: 'Squeezes every number to between −1 and 1.' },
  {
    op: 'softplus',
    title: 'Softplus',
    group: 'Activate',
    explanation: 'A ReLU with a round corner.',
    attributes: {
      beta: { kind: 'number', title: 'Beta', hint: 'The larger, the sharper the corner.', default: 1 },
      threshold: { kind: 'number', title: 'Threshold', hint: 'Above it, nothing is bent.', default: 20 },
    },
  },
  {
    op: 'maxout',
    title: 'Maxout',
    group: 'Activate',
    explanation: 'Lets channels compete: of each few that follow one another, the largest goes on.',
    attributes: {
      pieces: { kind: 'whole', title: 'Pieces', hint: 'How many compete for each output.', initial: 2 },
    },
  },
  {
    op: 'max_pool',
    title: 'Max pooling',
    group: 'Shrink',
    stem: 'pool',
    explanation:
      'Keeps the largest number of each window: maps get smaller, and where exactly something is matters less.',
    attributes: { ...POOLING, ...DILATION },
  },
  {
    op: 'avg_pool',
    title: 'Average pooling',
    group: 'Shrink',
    stem: 'pool',
    explanation: 'Takes the mean of each window: maps get smaller and smoother.',
    attributes: {
      ...POOLING,
      countIncludePad: {
        kind: 'flag',
        title: 'Count the padding',
        default: true,
        hint: 'Whether zeros around the image count in the mean.',
      },
    },
  },
  {
    op: 'adaptive_avg_pool',
    title: 'Global average',
    group: 'Shrink',
    stem: 'avgpool',
    explanation:
      'The mean of each channel, or of as many windows as are asked for, whatever the image’s size.',
    attributes: OUTPUT_SIZE,
  },
  {
    op: 'adaptive_max_pool',
    title: 'Global maximum',
    group: 'Shrink',
    stem: 'maxpool',
    explanation:
      'The largest of each channel, or of as many windows as are asked for, whatever the image’s size.',
    attributes: OUTPUT_SIZE,
  },
  {
    op: 'batch_norm',
    title: 'Batch normalisation',
    group: 'Normalise',
    stem: 'bn',
    explanation:
      'Brings each channel to mean 0 and variance 1 over the batch, then scales it as it learns to: deep networks train faster.',
    attributes: {
      eps: {
        kind: 'number',
        title: 'Epsilon',
        default: 1e-5,
        hint: 'Added to the variance, so that it is never zero.',
      },
      momentum: {
        kind: 'number',
        title: 'Momentum',
        default: 0.1,
        hint: 'How far a batch moves the running mean and variance.',
      },
    },
  },
  {
    op: 'dropout',
    title: 'Dropout',
    group: 'Normalise',
    explanation: 'Sets some numbers to zero by chance while training, so that no unit relies on another.',
    attributes: {
      p: { kind: 'number', title: 'Probability', hint: 'Of each number to be dropped.', default: 0.5 },
    },
  },
  {
    op: 'flatten',
    title: 'Flatten',
    group: 'Join and reshape',
    explanation: 'Lines all maps up as one row of numbers. Nothing is computed.',
  },
  {
    op: 'add',
    title: 'Sum',
    group: 'Join and reshape',
    explanation: 'Adds its inputs number by number: what closes a residual block.',
  },
  {
    op: 'concat',
    title: 'Concatenation',
    group: 'Join and reshape',
    explanation: 'Puts its inputs’ channels one after the other.',
  },
];

export const LAYER_KINDS: readonly LayerKind[] = WORDINGS.map(({ stem, attributes = {}, ...words }) => {
  const { attributes: specs = {}, takes = [1, 1] } = ops.get(words.op);
  return {
    ...words,
    stem: stem ?? words.op,
    joins: takes[1] > 1,
    attributes: Object.entries(attributes).map(([name, said]) => attributeOf(name, said, specs[name])),
  };
});

/** Words and bounds together. A word for what an op has not, or has as something else, is a bug. */
function attributeOf(name: string, words: Words, spec: AttributeSpec | undefined): AttributeKind {
  switch (words.kind) {
    case 'whole':
    case 'pair':
      if (spec?.kind === words.kind) return { name, ...words, least: spec.least };
      break;
    case 'number':
      if (spec?.kind === 'number') return { name, ...spec, ...words };
      break;
    case 'flag':
      if (spec?.kind === 'flag') return { name, ...words, kind: 'switch' };
      break;
    case 'choice':
      if (spec?.kind === 'choice') return { name, ...words, options: spec.of };
  }
  throw new Error(
    `wgrad bug: "${words.title}" is said to be a ${words.kind}, found ${spec?.kind} for ${name}`,
  );
}
