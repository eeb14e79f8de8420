import { passed, type About } from '../about.ts';
import attributes from './attributes.ts';

export default {
  op: 'dropout',
  group: 'Normalisation and dropout',
  elementwise: true,
  everyday: 'Switches off random parts while the network trains, so that no part can rely on another.',
  explanation:
    'Randomly zeroes activations during training, so units do not co-adapt, and multiplies the others by 1 / (1 − p), which keeps their mean. Inactive at inference.',
  attributes: { p: { title: 'Probability', hint: 'Probability of zeroing an activation.' } },
  details: ({ attributes: { p = attributes.p.default } = {} }) => [`p = ${String(p)}`],
  workOut: passed('x: nothing is dropped outside training'),
} satisfies About;
