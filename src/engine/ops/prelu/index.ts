import { Failure } from '../../../base/result.ts';
import type { ValuesOf } from '../../../ops/attributes.ts';
import attributes from '../../../ops/prelu/attributes.ts';
import type { Op } from '../../op.ts';
import { fetchedPasses } from '../fetched.ts';

export type PreluAttributes = ValuesOf<typeof attributes>;

/**
 * x where it is positive, else x times a slope that is trained (He et al., "Delving Deep into Rectifiers", 2015), as PyTorch's
 * nn.PReLU.
 */
const prelu: Op<PreluAttributes> = {
  name: 'prelu',
  title: 'PReLU',
  attributes,

  outputShape({ numParameters }, input) {
    const [, C] = input;
    if (numParameters !== 1 && numParameters !== C)
      throw new Failure(
        'bad-input',
        `prelu: expected numParameters to be 1 or the number of channels, ${C}, found ${numParameters}`,
      );
    return input;
  },

  parameters: ({ numParameters, init }) => [
    { name: 'weight', shape: [numParameters], fanIn: 1, fanOut: 1, initial: init },
  ],

  ...fetchedPasses(() => import('./passes.ts')),
};

export default prelu;
