import type { About } from '../about.ts';

export default {
  op: 'prelu',
  group: 'Activation',
  elementwise: true,
  everyday: 'Keeps what is above zero, and lets through as much of the rest as it learns to be best.',
  explanation:
    'A leaky ReLU whose slope for negative inputs is learned: one for all values, or one per channel.',
  attributes: {
    numParameters: { title: 'Slopes', hint: '1 for all values, or as many as channels.' },
    init: { title: 'Initial slope', short: 'initial slope', hint: 'The slopes before training.' },
  },
  workOut({ values: [x], own }) {
    const slope = own('weight') ?? NaN;
    return {
      formula: 'x where it is positive, else slope × x',
      result: x > 0 ? x : slope * x,
      constants: [['slope', slope]],
    };
  },
} satisfies About;
