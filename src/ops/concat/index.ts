import { passed, type About } from '../about.ts';

export default {
  op: 'concat',
  group: 'Join and reshape',
  everyday: 'Puts the maps of several layers together, one after the other.',
  explanation: 'Concatenates its inputs along the channel axis.',
  details: ({ inputs = [] }) => [`${inputs.length} branches`],
  reads: () => ({ kind: 'concat' }),
  workOut: passed('x, reshaped'),
} satisfies About;
