import { eps, normalised, type About } from '../about.ts';

export default {
  op: 'batch_norm',
  group: 'Normalisation and dropout',
  stem: 'bn',
  everyday: 'Brings the numbers of each map to a common size, so that learning goes faster.',
  explanation:
    'Normalises each channel to mean 0 and variance 1 over the batch, then applies a learned scale and shift. Tests use the running mean and variance instead, those of many batches. Deep networks train faster with it.',
  attributes: { eps, momentum: { title: 'Momentum', hint: 'Update rate of the running mean and variance.' } },
  workOut: ({ values: [x], ...given }) =>
    normalised(x, [given.own('running_mean') as number, given.own('running_var') as number], given),
} satisfies About;
