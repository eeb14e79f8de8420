import { number, passed, type About } from '../about.ts';

export default {
  op: 'dropout',
  group: 'Normalisation and dropout',
  elementwise: true,
  everyday: 'Switches off random parts while the network trains, so that no part can rely on another.',
  explanation:
    'Randomly zeroes activations during training, so units do not co-adapt, and multiplies the others by 1 / (1 − p), which keeps their mean. Inactive at inference.',
  attributes: { p: number('Probability', { default: 0.5 }, 'Probability of zeroing an activation.') },
  details: ({ attributes: { p } = {} }) => [`p = ${String(p ?? 0.5)}`],
  workOut: passed('x: nothing is dropped outside training'),
} satisfies About;
