import { Failure } from '../../../base/result.ts';
import { number } from '../../../ops/attributes.ts';
import type { Op } from '../../op.ts';
import { fetchedPasses } from '../fetched.ts';

export interface DropoutAttributes {
  /** The probability that an element is dropped, 0 to 1. Default 0.5. */
  p?: number;
}

/**
 * Sets random elements to 0 and scales up the rest, in training steps only, for inputs of any shape (Srivastava et al.,
 * "Dropout", 2014), as PyTorch's nn.Dropout. A hash of the step's seed, the layer's name and the element's index
 * decides what is dropped, so backward recomputes it and nothing is saved.
 */
const dropout: Op<DropoutAttributes> = {
  name: 'dropout',
  title: 'Dropout',
  channelsLast: true,
  attributes: { p: number(0, 1) },
  passesInEvaluation: true,

  outputShape({ p = 0.5 }, input) {
    // Written so that NaN fails.
    if (!(typeof p === 'number' && p >= 0 && p <= 1)) {
      throw new Failure('bad-input', `dropout: expected p from 0 to 1, found ${JSON.stringify(p)}`);
    }
    return input;
  },

  ...fetchedPasses(() => import('./passes.ts')),
};

export default dropout;
