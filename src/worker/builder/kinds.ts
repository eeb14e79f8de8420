/**
 * Every type of layer that the Build screen offers: its texts, and the attributes of new layers. Their limits and the
 * number of inputs come from the op.
 */
import type { Pair } from '../../base/shape.ts';
import type { AttributeSpec } from '../../engine/attributes.ts';
import { ops } from '../../engine/ops/registry.ts';
import type { LayerAttribute, LayerGroup, LayerKind } from '../api.ts';

/** An attribute's texts, its value in new layers and its default; see AttributeKind. */
type Words = { title: string; hint: string } & (
  | { kind: 'whole'; initial?: number; default?: number }
  | { kind: 'pair'; initial?: Pair; default?: Pair; follows?: string }
  | { kind: 'padding'; initial?: Pair; default: Pair }
  | { kind: 'number'; default: number }
  | { kind: 'flag'; default: boolean }
  | { kind: 'choice'; default: string }
);

/** By the attribute's name. */
type Wordings = Readonly<Record<string, Words>>;

/** The texts of one type of layer. */
interface Wording extends Pick<LayerKind, 'title' | 'explanation'> {
  /** Default: the op's name. */
  stem?: string;
  attributes?: Wordings;
}

type Of<Kind extends Words['kind']> = Omit<Extract<Words, { kind: Kind }>, 'kind' | 'title' | 'hint'>;

const whole = (title: string, values: Of<'whole'>, hint: string): Words => ({
  kind: 'whole',
  title,
  hint,
  ...values,
});
const pair = (title: string, values: Of<'pair'>, hint: string): Words => ({
  kind: 'pair',
  title,
  hint,
  ...values,
});
const number = (title: string, value: number, hint: string): Words => ({
  kind: 'number',
  title,
  hint,
  default: value,
});
const flag = (title: string, hint: string): Words => ({ kind: 'flag', title, hint, default: true });
const choice = (title: string, value: string, hint: string): Words => ({
  kind: 'choice',
  title,
  hint,
  default: value,
});

const kernelSize = (initial: Pair) => pair('Kernel size', { initial }, 'Height and width.');
const padding = (initial?: Pair): Words => ({
  kind: 'padding',
  title: 'Padding',
  hint: 'Rows and columns added around the image. “same”: the output’s size is the input’s, divided by the stride.',
  default: [0, 0],
  ...(initial ? { initial } : {}),
});
const dilation = pair('Dilation', { default: [1, 1] }, 'Spacing between kernel elements.');
const bias = flag('Bias', 'Adds a learned offset per output. Redundant before batch normalisation.');
const POOLING: Wordings = {
  kernelSize: kernelSize([2, 2]),
  stride: pair(
    'Stride',
    { follows: 'kernelSize' },
    'Step between windows. Defaults to the kernel size (no overlap).',
  ),
  padding: padding(),
};
const OUTPUT_SIZE: Wordings = {
  outputSize: pair(
    'Output size',
    { initial: [1, 1] },
    'Height and width. 1 × 1 gives one value per channel.',
  ),
};

/** By group and op, in the order of the palette. */
const WORDINGS: Readonly<Record<LayerGroup, Readonly<Record<string, Wording>>>> = {
  'Convolution and linear': {
    conv: {
      title: 'Convolution',
      explanation:
        'Slides small filters over its input. Each filter detects one pattern; its feature map shows where the pattern occurs.',
      attributes: {
        outChannels: whole('Filters', { initial: 16 }, 'Number of output channels.'),
        kernelSize: kernelSize([3, 3]),
        stride: pair('Stride', { default: [1, 1] }, 'Step between windows. 2 halves height and width.'),
        padding: padding([1, 1]),
        dilation,
        groups: whole(
          'Groups',
          { default: 1 },
          'Each filter sees only the channels of its group. Groups = channels gives a depthwise convolution.',
        ),
        bias,
      },
    },
    linear: {
      title: 'Fully connected',
      stem: 'fc',
      explanation: 'Each output is a weighted sum of all inputs.',
      attributes: { outFeatures: whole('Outputs', { initial: 64 }, 'Number of output features.'), bias },
    },
  },
  Activation: {
    relu: {
      title: 'ReLU',
      explanation:
        'Sets negative values to zero. Without a non-linearity, stacked layers would collapse into one.',
    },
    leaky_relu: {
      title: 'Leaky ReLU',
      stem: 'leakyrelu',
      explanation: 'Keeps a small slope for negative inputs, so units cannot die.',
      attributes: { negativeSlope: number('Negative slope', 0.01, 'Slope for negative inputs.') },
    },
    elu: {
      title: 'ELU',
      explanation: 'Like ReLU, but negative inputs saturate smoothly at −alpha.',
      attributes: { alpha: number('Alpha', 1, 'Saturation level for negative inputs.') },
    },
    gelu: {
      title: 'GELU',
      explanation: 'A smooth ReLU: x · Φ(x), with Φ the standard normal CDF.',
      attributes: { approximate: choice('Approximation', 'none', 'Exact, or the tanh approximation.') },
    },
    silu: { title: 'SiLU', explanation: 'A smooth ReLU: x · sigmoid(x). Also known as Swish.' },
    sigmoid: { title: 'Sigmoid', explanation: 'Squeezes every number to between 0 and 1.' },
    tanh: { title: 'Tanh', explanation: 'Squeezes every number to between −1 and 1.' },
    softplus: {
      title: 'Softplus',
      explanation: 'A smooth approximation of ReLU.',
      attributes: {
        beta: number('Beta', 1, 'The larger, the sharper the corner.'),
        threshold: number('Threshold', 20, 'Linear above this value.'),
      },
    },
    maxout: {
      title: 'Maxout',
      explanation: 'Takes the maximum over groups of consecutive channels.',
      attributes: { pieces: whole('Pieces', { initial: 2 }, 'Channels per output.') },
    },
  },
  Pooling: {
    max_pool: {
      title: 'Max pooling',
      stem: 'pool',
      explanation:
        'Takes the maximum of each window: smaller feature maps and less sensitivity to exact position.',
      attributes: { ...POOLING, dilation },
    },
    avg_pool: {
      title: 'Average pooling',
      stem: 'pool',
      explanation: 'Takes the mean of each window: maps get smaller and smoother.',
      attributes: {
        ...POOLING,
        countIncludePad: flag('Include padding', 'Include the zero padding in the mean.'),
      },
    },
    adaptive_avg_pool: {
      title: 'Global average pooling',
      stem: 'avgpool',
      explanation: 'Mean per channel, or per cell of a fixed output size, for any input size.',
      attributes: OUTPUT_SIZE,
    },
    adaptive_max_pool: {
      title: 'Global max pooling',
      stem: 'maxpool',
      explanation: 'Maximum per channel, or per cell of a fixed output size, for any input size.',
      attributes: OUTPUT_SIZE,
    },
  },
  'Normalisation and dropout': {
    batch_norm: {
      title: 'Batch normalisation',
      stem: 'bn',
      explanation:
        'Normalises each channel to mean 0 and variance 1 over the batch, then applies a learned scale and shift.',
      attributes: {
        eps: number('Epsilon', 1e-5, 'Added to the variance for numerical stability.'),
        momentum: number('Momentum', 0.1, 'Update rate of the running mean and variance.'),
      },
    },
    scale: {
      title: 'Scale',
      explanation:
        'Multiplies every value by a constant. Scaling the logits down makes a network’s first predictions less confident.',
      attributes: { factor: number('Factor', 1, 'The constant.') },
    },
    dropout: {
      title: 'Dropout',
      explanation: 'Randomly zeroes activations during training, so units do not co-adapt.',
      attributes: { p: number('Probability', 0.5, 'Probability of zeroing an activation.') },
    },
  },
  'Join and reshape': {
    flatten: { title: 'Flatten', explanation: 'Reshapes all feature maps into one vector.' },
    add: { title: 'Sum', explanation: 'Element-wise sum of its inputs, as at the end of a residual block.' },
    concat: { title: 'Concatenation', explanation: 'Concatenates its inputs along the channel axis.' },
  },
};

export const LAYER_KINDS: readonly LayerKind[] = (Object.keys(WORDINGS) as LayerGroup[]).flatMap((group) =>
  Object.entries(WORDINGS[group]).map(([op, { stem = op, attributes = {}, ...words }]) => {
    const { attributes: specs = {}, takes = [1, 1] } = ops.get(op);
    return {
      ...words,
      op,
      group,
      stem,
      joins: takes[1] > 1,
      attributes: Object.entries(attributes).map(([name, said]) => attributeOf(name, said, specs[name])),
    };
  }),
);

/** The texts of the layers of an op. */
export const kindOf = (op: string): LayerKind | undefined => LAYER_KINDS.find((kind) => kind.op === op);

/** Texts and limits together. Texts for an attribute that the op does not have, or has in another kind, are a bug. */
function attributeOf(name: string, words: Words, spec: AttributeSpec | undefined): LayerAttribute {
  switch (words.kind) {
    case 'whole':
    case 'pair':
      if (spec?.kind === words.kind) return { name, ...words, least: spec.least };
      break;
    case 'padding':
      if (spec?.kind === 'padding') return { name, ...words };
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
