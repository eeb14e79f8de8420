import { Failure } from '../../../base/result.ts';
import { elements, showShape } from '../../../base/shape.ts';
import type { ValuesOf } from '../../../ops/attributes.ts';
import attributes from '../../../ops/maxout/attributes.ts';
import type { Op } from '../../op.ts';
import type { Tensor } from '../../plan.ts';
import { largestOf } from '../pooling/max.ts';

export type MaxoutAttributes = ValuesOf<typeof attributes>;

const constants = ({ pieces }: MaxoutAttributes, { shape }: Tensor) => ({
  PIECES: pieces,
  INNER: elements(shape.slice(2)),
});

/**
 * The largest of each `pieces` consecutive channels: [N, C, ...] to [N, C / pieces, ...], with a linear or convolution
 * layer of C outputs before it. Source: Goodfellow et al., Maxout networks (2013). PyTorch has no such module; this is
 * x.unflatten(1, (-1, pieces)).max(2): the first of equal channels receives the gradient.
 */
const maxout: Op<MaxoutAttributes> = {
  title: 'Maxout',
  attributes,
  ...largestOf(
    'maxout',
    ({ pieces }, input) => {
      if (input.length < 2 || elements(input) < 1 || input[1] % pieces !== 0) {
        throw new Failure(
          'bad-input',
          `maxout: expected an input of shape [N, C, ...] with C a multiple of ${pieces}, found ${showShape(input)}`,
          `Give the layer before it ${pieces} outputs for each output of maxout.`,
        );
      }
      return [input[0], input[1] / pieces, ...input.slice(2)];
    },
    constants,
    'maxout/',
  ),
};

export default maxout;
