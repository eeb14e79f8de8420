import { Failure } from '../../../base/result.ts';
import { above, number } from '../../attributes.ts';
import { activation, requireNumber } from '../activation/op.ts';

export interface SoftplusAttributes {
  /** Above 0; the larger, the closer to ReLU. Default 1. */
  beta?: number;
  /** Where beta x is above it, the output is x itself. Default 20. */
  threshold?: number;
}

/** log(1 + e^(beta x)) / beta: PyTorch's nn.Softplus. */
export default activation<SoftplusAttributes>(
  'softplus',
  { beta: above(0), threshold: number() },
  ({ beta = 1, threshold = 20 }) => {
    if (requireNumber('softplus: beta', beta) <= 0) {
      throw new Failure('bad-input', `softplus: expected beta to be above 0, found ${beta}`);
    }
    return { BETA: beta, THRESHOLD: requireNumber('softplus: threshold', threshold) };
  },
);
