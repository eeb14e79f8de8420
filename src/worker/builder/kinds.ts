/**
 * Every type of layer that the Build screen offers: its texts, and the attributes of new layers. Their limits and the
 * number of inputs come from the op.
 */
import type { AttributeSpec } from '../../engine/attributes.ts';
import { ops } from '../../engine/ops/registry.ts';
import type { AttributeKind, LayerKind } from '../api.ts';

type Pair = readonly [number, number];

/** An attribute's texts, its value in new layers and its default; see AttributeKind. */
type Words = { title: string; hint: string } & (
  | { kind: 'whole'; initial?: number; default?: number }
  | { kind: 'pair'; initial?: Pair; default?: Pair; follows?: string }
  | { kind: 'number'; default: number }
  | { kind: 'flag'; default: boolean }
  | { kind: 'choice'; default: string }
);

/** By the attribute's name. */
type Wordings = Readonly<Record<string, Words>>;

/** The texts of one type of layer. */
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
    hint: 'Adds a learned offset per output. Redundant before batch normalisation.',
  },
};
const window = (initial: Pair): Wordings => ({
  kernelSize: { kind: 'pair', title: 'Kernel size', hint: 'Height and width.', initial },
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
  dilation: { kind: 'pair', title: 'Dilation', default: [1, 1], hint: 'Spacing between kernel elements.' },
};
const POOLING: Wordings = {
  ...window([2, 2]),
  stride: {
    kind: 'pair',
    title: 'Stride',
    follows: 'kernelSize',
    hint: 'Step between windows. Defaults to the kernel size (no overlap).',
  },
  ...padding(),
};
const OUTPUT_SIZE: Wordings = {
  outputSize: {
    kind: 'pair',
    title: 'Output size',
    initial: [1, 1],
    hint: 'Height and width. 1 × 1 gives one value per channel.',
  },
};

/** In the order of the palette. */
const WORDINGS: readonly Wording[] = [
  {
    op: 'conv',
    title: 'Convolution',
    group: 'Convolution and linear',
    explanation:
      'Slides small filters over its input. Each filter detects one pattern; its feature map shows where the pattern occurs.',
    attributes: {
      outChannels: { kind: 'whole', title: 'Filters', initial: 16, hint: 'Number of output channels.' },
      ...window([3, 3]),
      stride: {
        kind: 'pair',
        title: 'Stride',
        default: [1, 1],
        hint: 'Step between windows. 2 halves height and width.',
      },
      ...padding({ initial: [1, 1] }),
      ...DILATION,
      groups: {
        kind: 'whole',
        title: 'Groups',
        default: 1,
        hint: 'Each filter sees only the channels of its group. Groups = channels gives a depthwise convolution.',
      },
      ...BIAS,
    },
  },
  {
    op: 'linear',
    title: 'Fully connected',
    group: 'Convolution and linear',
    stem: 'fc',
    explanation: 'Each output is a weighted sum of all inputs.',
    attributes: {
      outFeatures: { kind: 'whole', title: 'Outputs', initial: 64, hint: 'Number of output features.' },
      ...BIAS,
    },
  },
  {
    op: 'relu',
    title: 'ReLU',
    group: 'Activation',
    explanation:
      'Sets negative values to zero. Without a non-linearity, stacked layers would collapse into one.',
  },
  {
    op: 'leaky_relu',
    title: 'Leaky ReLU',
    group: 'Activation',
    stem: 'leakyrelu',
    explanation: 'Keeps a small slope for negative inputs, so units cannot die.',
    attributes: {
      negativeSlope: {
        kind: 'number',
        title: 'Negative slope',
        default: 0.01,
        hint: 'Slope for negative inputs.',
      },
    },
  },
  {
    op: 'elu',
    title: 'ELU',
    group: 'Activation',
    explanation: 'Like ReLU, but negative inputs saturate smoothly at −alpha.',
    attributes: {
      alpha: { kind: 'number', title: 'Alpha', hint: 'Saturation level for negative inputs.', default: 1 },
    },
  },
  {
    op: 'gelu',
    title: 'GELU',
    group: 'Activation',
    explanation: 'A smooth ReLU: x · Φ(x), with Φ the standard normal CDF.',
    attributes: {
      approximate: {
        kind: 'choice',
        title: 'Approximation',
        default: 'none',
        hint: 'Exact, or the tanh approximation.',
      },
    },
  },
  {
    op: 'silu',
    title: 'SiLU',
    group: 'Activation',
    explanation: 'A smooth ReLU: x · sigmoid(x). Also known as Swish.',
  },
  {
    op: 'sigmoid',
    title: 'Sigmoid',
    group: 'Activation',
    explanation: 'Squeezes every number to between 0 and 1.',
  },
  {
    op: 'tanh',
    title: 'Tanh',
    group: 'Activation',
    explanation: 'Squeezes every number to between −1 and 1.',
  },
  {
    op: 'softplus',
    title: 'Softplus',
    group: 'Activation',
    explanation: 'A smooth approximation of ReLU.',
    attributes: {
      beta: { kind: 'number', title: 'Beta', hint: 'The larger, the sharper the corner.', default: 1 },
      threshold: { kind: 'number', title: 'Threshold', hint: 'Linear above this value.', default: 20 },
    },
  },
  {
    op: 'maxout',
    title: 'Maxout',
    group: 'Activation',
    explanation: 'Takes the maximum over groups of consecutive channels.',
    attributes: { pieces: { kind: 'whole', title: 'Pieces', hint: 'Channels per output.', initial: 2 } },
  },
  {
    op: 'max_pool',
    title: 'Max pooling',
    group: 'Pooling',
    stem: 'pool',
    explanation:
      'Takes the maximum of each window: smaller feature maps and less sensitivity to exact position.',
    attributes: { ...POOLING, ...DILATION },
  },
  {
    op: 'avg_pool',
    title: 'Average pooling',
    group: 'Pooling',
    stem: 'pool',
    explanation: 'Takes the mean of each window: maps get smaller and smoother.',
    attributes: {
      ...POOLING,
      countIncludePad: {
        kind: 'flag',
        title: 'Include padding',
        default: true,
        hint: 'Include the zero padding in the mean.',
      },
    },
  },
  {
    op: 'adaptive_avg_pool',
    title: 'Global average pooling',
    group: 'Pooling',
    stem: 'avgpool',
    explanation: 'Mean per channel, or per cell of a fixed output size, for any input size.',
    attributes: OUTPUT_SIZE,
  },
  {
    op: 'adaptive_max_pool',
    title: 'Global max pooling',
    group: 'Pooling',
    stem: 'maxpool',
    explanation: 'Maximum per channel, or per cell of a fixed output size, for any input size.',
    attributes: OUTPUT_SIZE,
  },
  {
    op: 'batch_norm',
    title: 'Batch normalisation',
    group: 'Normalisation and dropout',
    stem: 'bn',
    explanation:
      'Normalises each channel to mean 0 and variance 1 over the batch, then applies a learned scale and shift.',
    attributes: {
      eps: {
        kind: 'number',
        title: 'Epsilon',
        default: 1e-5,
        hint: 'Added to the variance for numerical stability.',
      },
      momentum: {
        kind: 'number',
        title: 'Momentum',
        default: 0.1,
        hint: 'Update rate of the running mean and variance.',
      },
    },
  },
  {
    op: 'dropout',
    title: 'Dropout',
    group: 'Normalisation and dropout',
    explanation: 'Randomly zeroes activations during training, so units do not co-adapt.',
    attributes: {
      p: {
        kind: 'number',
        title: 'Probability',
        hint: 'Probability of zeroing an activation.',
        default: 0.5,
      },
    },
  },
  {
    op: 'flatten',
    title: 'Flatten',
    group: 'Join and reshape',
    explanation: 'Reshapes all feature maps into one vector.',
  },
  {
    op: 'add',
    title: 'Sum',
    group: 'Join and reshape',
    explanation: 'Element-wise sum of its inputs, as at the end of a residual block.',
  },
  {
    op: 'concat',
    title: 'Concatenation',
    group: 'Join and reshape',
    explanation: 'Concatenates its inputs along the channel axis.',
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

/** Texts and limits together. Texts for an attribute that the op does not have, or has in another kind, are a bug. */
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
    `wgrad bug: expected the ${words.kind} "${words.title}" as ${name} of the op, found ${spec?.kind}`,
  );
}
