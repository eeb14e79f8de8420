import type { About } from '../about.ts';

export default {
  op: 'relu',
  group: 'Activation',
  first: true,
  elementwise: true,
  everyday:
    'Keeps what is above zero and drops the rest. Without such a bend, many layers could do no more than one.',
  explanation:
    'Sets negative values to zero. Without a non-linearity, stacked layers would collapse into one.',
  workOut: ({ values: [x] }) => ({ formula: 'max(x, 0)', result: Math.max(x, 0) }),
} satisfies About;
