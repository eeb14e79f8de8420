import type { About } from '../about.ts';

export default {
  op: 'add',
  group: 'Join and reshape',
  everyday: 'Adds two or more results, number by number.',
  explanation: 'Element-wise sum of its inputs, as at the end of a residual block.',
  details: ({ inputs = [] }) => [inputs.join(' + ')],
  workOut: ({ values, sum }) => ({ formula: `the sum of ${values.length} values`, result: sum }),
} satisfies About;
