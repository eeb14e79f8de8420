import type { ValuesOf } from '../../../ops/attributes.ts';
import attributes from '../../../ops/dropout/attributes.ts';
import type { Op } from '../../op.ts';
import { fetchedPasses } from '../fetched.ts';

export type DropoutAttributes = ValuesOf<typeof attributes>;

/**
 * Sets random elements to 0 and scales up the rest, in training steps only, for inputs of any shape (Srivastava et al.,
 * "Dropout", 2014), as PyTorch's nn.Dropout. A hash of the step's seed, the layer's name and the element's index
 * decides what is dropped, so backward recomputes it and nothing is saved.
 */
const dropout: Op<DropoutAttributes> = {
  name: 'dropout',
  title: 'Dropout',
  channelsLast: true,
  attributes,
  passesInEvaluation: true,

  outputShape: (_, input) => input,

  ...fetchedPasses(() => import('./passes.ts')),
};

export default dropout;
