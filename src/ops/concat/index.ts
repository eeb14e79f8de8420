import { passed, type About } from '../about.ts';

export default {
  op: 'concat',
  group: 'Join and reshape',
  explanation: 'Concatenates its inputs along the channel axis.',
  details: ({ inputs = [] }) => [`${inputs.length} branches`],
  reads: () => ({ kind: 'concat' }),
  workOut: passed('x, reshaped'),
} satisfies About;
