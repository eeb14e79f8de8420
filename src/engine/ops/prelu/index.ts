import { Failure } from '../../../base/result.ts';
import { number, whole } from '../../../ops/attributes.ts';
import type { Op } from '../../op.ts';
import { fetchedPasses } from '../fetched.ts';

/** As in PyTorch's nn.PReLU. */
export interface PreluAttributes {
  /** Slopes: 1 for all values, or one a channel. Default 1. */
  numParameters?: number;
  /** The slopes before training. Default 0.25. */
  init?: number;
}

/**
 * x where it is positive, else x times a slope that is trained (He et al., "Delving Deep into Rectifiers", 2015), as PyTorch's
 * nn.PReLU.
 */
const prelu: Op<PreluAttributes> = {
  name: 'prelu',
  title: 'PReLU',
  attributes: { numParameters: whole(), init: number() },

  outputShape({ numParameters = 1 }, input) {
    const [, C] = input;
    if (numParameters !== 1 && numParameters !== C)
      throw new Failure(
        'bad-input',
        `prelu: expected numParameters to be 1 or the number of channels, ${C}, found ${numParameters}`,
      );
    return input;
  },

  parameters: ({ numParameters = 1, init = 0.25 }) => [
    { name: 'weight', shape: [numParameters], fanIn: 1, fanOut: 1, initial: init },
  ],

  ...fetchedPasses(() => import('./passes.ts')),
};

export default prelu;
