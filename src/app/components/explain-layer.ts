/** What types of layer do, in one or two sentences. The first pattern that matches a layer's title counts. */
const KINDS: readonly [start: RegExp, explanation: string][] = [
  [
    /^conv/i,
    'Slides small filters over its input. Each filter detects one pattern; its feature map shows where the pattern occurs.',
  ],
  [
    /^depthwise/i,
    'Applies one filter per channel. Cheap, because channels are not mixed; a 1 × 1 convolution usually follows to mix them.',
  ],
  [
    /^batch norm/i,
    'Normalises each channel to mean 0 and variance 1 over the batch, then applies a learned scale and shift. Deep networks train faster with it.',
  ],
  [
    /^dropout/i,
    'Randomly zeroes activations during training, so units do not co-adapt. Inactive at inference.',
  ],
  [/^sum/i, 'Element-wise sum of its inputs, as at the end of a residual block.'],
  [/^concat/i, 'Concatenates its inputs along the channel axis.'],
  [/^maxout/i, 'Takes the maximum over groups of consecutive channels.'],
  [
    /^relu/i,
    'Sets negative values to zero. Without a non-linearity, stacked layers would collapse into one.',
  ],
  [/^max/i, 'Takes the maximum of each window: smaller feature maps and less sensitivity to exact position.'],
  [/^(average|avg)/i, 'Takes the mean of each window: smaller, smoother feature maps.'],
  [/^flatten/i, 'Reshapes all feature maps into one vector. No computation.'],
  [
    /^(linear|fully|dense)/i,
    'Each output is a weighted sum of all inputs; combines features into class scores.',
  ],
  [/^(softmax|log)/i, 'Turns class scores into probabilities that sum to 1.'],
];

export const explainLayer = (title: string): string | undefined =>
  KINDS.find(([start]) => start.test(title))?.[1];
