import { bias, type About } from '../about.ts';

export default {
  op: 'linear',
  group: 'Convolution and linear',
  stem: 'fc',
  everyday: 'Each result adds up everything that comes in, with some of it counting more than the rest.',
  explanation: 'Each output is a weighted sum of all inputs; combines features into class scores.',
  attributes: {
    outFeatures: { title: 'Outputs', initial: 64, short: 'outputs', hint: 'Number of output features.' },
    bias,
  },
  details: ({ attributes: { outFeatures } = {} }) => [`${String(outFeatures)} outputs`],
  reads: () => ({ kind: 'all' }),
  weighted: true,
  workOut({ values, sum, own }) {
    const offset = own('bias');
    const formula = `the sum of ${values.length} products${offset === undefined ? '' : ', plus the bias'}`;
    return offset === undefined
      ? { formula, result: sum }
      : { formula, result: sum + offset, constants: [['bias', offset]] };
  },
} satisfies About;
