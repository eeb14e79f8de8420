/** What kinds of layer do, in a sentence or two; the first that begins a layer's title counts. */
const KINDS: readonly [start: RegExp, explanation: string][] = [
  [
    /^conv/i,
    'Slides small filters over its input. Each filter answers to one pattern, and its map shows where the pattern is.',
  ],
  [
    /^depthwise/i,
    'Slides a small filter of its own over each channel. Cheap, since channels do not meet; a 1×1 convolution behind it mixes them.',
  ],
  [
    /^batch norm/i,
    'Brings each channel to mean 0 and variance 1 over the batch, then scales it as it learns to: deep networks train faster.',
  ],
  [
    /^dropout/i,
    'Sets some numbers to zero by chance while training, so that no unit relies on another. Nothing is dropped later.',
  ],
  [/^sum/i, 'Adds its inputs number by number: what closes a residual block.'],
  [/^concat/i, 'Puts its inputs’ channels one after the other.'],
  [/^maxout/i, 'Lets channels compete: of each few that follow one another, the largest goes on.'],
  [/^relu/i, 'Sets negative numbers to zero. Without such a bend, many layers could do no more than one.'],
  [
    /^max/i,
    'Keeps the largest number of each window: maps get smaller, and where exactly something is matters less.',
  ],
  [/^(average|avg)/i, 'Takes the mean of each window: maps get smaller and smoother.'],
  [/^flatten/i, 'Lines all maps up as one row of numbers. Nothing is computed.'],
  [
    /^(linear|fully|dense)/i,
    'Each output is a weighted sum of all inputs: here what was seen is put together.',
  ],
  [/^(softmax|log)/i, 'Turns scores into probabilities that sum to one.'],
];

export const explainLayer = (title: string): string | undefined =>
  KINDS.find(([start]) => start.test(title))?.[1];
