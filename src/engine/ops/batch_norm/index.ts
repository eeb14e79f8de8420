import { Failure } from '../../../base/result.ts';
import { showShape } from '../../../base/shape.ts';
import type { ValuesOf } from '../../../ops/attributes.ts';
import attributes from '../../../ops/batch_norm/attributes.ts';
import type { Op } from '../../op.ts';
import { fetchedPasses } from '../fetched.ts';

export type BatchNormAttributes = ValuesOf<typeof attributes>;

/**
 * Each channel with mean 0 and variance 1, times a weight plus a bias (Ioffe and Szegedy, "Batch Normalization", 2015), as
 * PyTorch's nn.BatchNorm2d. A training step uses the batch's own statistics and updates the running ones, which
 * inference uses. Sums have a fixed order.
 */
const batchNorm: Op<BatchNormAttributes> = {
  name: 'batch_norm',
  title: 'Batch normalisation',
  attributes,
  fusesRelu: true,
  fusesSum: true,
  channelsLast: true,

  outputShape(_, input) {
    if (input.length < 2) {
      throw new Failure(
        'bad-input',
        `batch_norm: expected an input of shape [N, C, ...], found ${showShape(input)}`,
      );
    }
    return input;
  },

  parameters(_, [, C]) {
    const start = { shape: [C], fanIn: 1, fanOut: 1 };
    return [
      { name: 'weight', ...start, initial: 1 },
      { name: 'bias', ...start, initial: 0 },
    ];
  },

  buffers: (_, [, C]) => [
    { name: 'running_mean', shape: [C], initial: 0 },
    { name: 'running_var', shape: [C], initial: 1 },
    // PyTorch counts batches; files of older versions lack the count.
    { name: 'num_batches_tracked', shape: [], initial: 0, counts: true, optional: true },
  ],

  ...fetchedPasses(() => import('./passes.ts')),
};

export default batchNorm;
