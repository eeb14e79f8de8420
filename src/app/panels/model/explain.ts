/** What kinds of layer do, in a sentence or two; the first that begins a layer's title counts. */
const KINDS: readonly [start: RegExp, explanation: string][] = [
  [
    /^conv/i,
    'Slides small filters over its input. Each filter answers to one pattern, and its map shows where the pattern is.',
  ],
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
